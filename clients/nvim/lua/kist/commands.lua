-- What :Kist can do.
local M = {}

local function kist()
  return require('kist')
end

local function call(args, done)
  require('kist.cli').call(args, done)
end

-- places are the items of a list that have a path and a line.
local function places(list, text)
  local items, vault = {}, kist().vault() or ''
  for _, one in ipairs(list or {}) do
    local line = tonumber(one.line) or 1
    table.insert(items, { path = vault .. '/' .. one.path, line = math.max(line, 1), text = text(one) })
  end
  return items
end

-- show lets a person pick a place, or fills the quickfix list where there is no picker.
local function show(title, items)
  local pick = require('kist.pick')
  if pick.has() then
    return pick.one(title, items, pick.open)
  end
  if #items == 0 then
    return vim.notify('kist: nothing found')
  end
  local list = {}
  for i, item in ipairs(items) do
    list[i] = { filename = item.path, lnum = item.line, text = item.text }
  end
  vim.fn.setqflist({}, ' ', { title = title, items = list })
  vim.cmd('copen')
end

local commands = {}

function commands.ask(words)
  local text = table.concat(words, ' ')
  if text == '' then
    return vim.notify('kist: say something: :Kist ask what is left to do?', vim.log.levels.ERROR)
  end
  local chat = require('kist.chat')
  chat.send(chat.open(), text)
end

function commands.chat()
  require('kist.chat').open()
  vim.cmd('startinsert!')
end

function commands.search(words)
  call({ 'search', '-n', '100', '--', table.concat(words, ' ') }, function(found)
    show('kist search', places(found.results, function(r)
      return r.title .. ': ' .. r.excerpt:gsub('%s+', ' ')
    end))
  end)
end

function commands.tasks(words)
  call(vim.list_extend({ 'task', 'list' }, words), function(found)
    show('kist tasks', places(found.tasks, function(t)
      return ('[%s] %s%s'):format(t.status, t.title, t.due and t.due ~= '' and '  due ' .. t.due or '')
    end))
  end)
end

-- about says what an operation did, to what, and why.
local function about(op)
  local why = op.reason or ''
  return ('%s  %s  %s %s%s'):format(op.id:sub(-8), op.status, op.type, op.entity and op.entity.path or '', why ~= '' and '  ' .. why or '')
end

-- operations lets a person pick one of the operations with a status; none is said where there is none.
local function operations(status, title, none, done)
  local args = { 'op', 'list', '-n', '100' }
  if status then
    vim.list_extend(args, { '--status', status })
  end
  call(args, function(found)
    if #(found.operations or {}) == 0 then
      return vim.notify('kist: ' .. none)
    end
    local items = {}
    for _, op in ipairs(found.operations) do
      table.insert(items, { op = op, text = about(op) })
    end
    require('kist.pick').one(title, items, function(item)
      done(item.op)
    end)
  end)
end

function commands.ops()
  operations(nil, 'kist operations', 'nothing was done yet', function(op)
    if op.status == 'proposed' then
      return require('kist.proposal').open(op.id)
    end
    call({ 'op', 'show', op.id }, function(got)
      require('kist.proposal').view(got.operation)
    end)
  end)
end

function commands.approve(words)
  if words[1] then
    return require('kist.proposal').open(words[1])
  end
  operations('proposed', 'kist proposals', 'nothing waits for approval', function(op)
    require('kist.proposal').open(op.id)
  end)
end

function commands.undo(words)
  local function undo(id)
    call({ 'op', 'undo', id }, function()
      vim.notify('kist: undone')
    end)
  end
  if words[1] then
    return undo(words[1])
  end
  operations('completed', 'kist: undo which', 'there is nothing to undo', function(op)
    undo(op.id)
  end)
end

-- run carries out :Kist NAME WORDS.
function M.run(args)
  local name = table.remove(args, 1)
  local command = commands[name]
  if not command then
    return vim.notify(('kist: there is no command %s; one of %s'):format(name, table.concat(M.names(), ', ')), vim.log.levels.ERROR)
  end
  command(args)
end

function M.names()
  local names = vim.tbl_keys(commands)
  table.sort(names)
  return names
end

function M.complete(lead, line)
  if #vim.split(vim.trim(line), '%s+') > (lead == '' and 1 or 2) then
    return {}
  end
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, M.names())
end

return M
