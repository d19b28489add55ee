-- Runs the program kist, always with --json.
local M = {}

-- lines calls fn for each line of output, as it comes, however it is cut into pieces.
local function lines(fn)
  local rest = ''
  return function(_, data)
    data[1] = rest .. data[1]
    rest = table.remove(data)
    for _, line in ipairs(data) do
      fn(line)
    end
    if #data == 0 and rest ~= '' then
      return
    end
  end
end

-- said makes one text of what kist wrote about an error: the message and what helps.
local function said(text)
  local ok, fault = pcall(vim.json.decode, text)
  if not ok or type(fault) ~= 'table' or type(fault.error) ~= 'table' then
    return vim.trim(text)
  end
  local hint = fault.error.hint
  return (fault.error.message or '') .. (hint and hint ~= '' and '\n' .. hint or '')
end

-- start runs kist with arguments in the vault; options: input, the text for its standard
-- input; line, which gets each line of output decoded; done, which gets whether it went well
-- and what it said of an error.
function M.start(args, options)
  local kist = require('kist')
  local cmd = { kist.options.cmd, '--json' }
  local root = options.vault or kist.vault()
  if root then
    vim.list_extend(cmd, { '--vault', root })
  end
  vim.list_extend(cmd, args)
  local errors = {}
  local job = vim.fn.jobstart(cmd, {
    on_stdout = lines(function(line)
      local ok, event = pcall(vim.json.decode, line)
      if ok and options.line then
        options.line(event)
      end
    end),
    on_stderr = lines(function(line)
      table.insert(errors, line)
    end),
    on_exit = function(_, code)
      if options.done then
        options.done(code == 0, said(table.concat(errors, '\n')))
      end
    end,
  })
  if job <= 0 then
    return vim.notify('kist: the program ' .. kist.options.cmd .. ' is not on the path', vim.log.levels.ERROR)
  end
  if options.input then
    vim.fn.chansend(job, options.input)
  end
  vim.fn.chanclose(job, 'stdin')
  return job
end

-- call runs kist and gives done the one answer it prints; errors are shown.
function M.call(args, done)
  local out, errors = {}, {}
  local kist = require('kist')
  local cmd = { kist.options.cmd, '--json' }
  local root = kist.vault()
  if root then
    vim.list_extend(cmd, { '--vault', root })
  end
  vim.list_extend(cmd, args)
  local job = vim.fn.jobstart(cmd, {
    stdout_buffered = true,
    stderr_buffered = true,
    on_stdout = function(_, data)
      out = data
    end,
    on_stderr = function(_, data)
      errors = data
    end,
    on_exit = function(_, code)
      local ok, answer = pcall(vim.json.decode, table.concat(out, '\n'))
      if code ~= 0 or not ok then
        return vim.notify('kist: ' .. said(table.concat(errors, '\n')), vim.log.levels.ERROR)
      end
      done(answer)
    end,
  })
  if job <= 0 then
    vim.notify('kist: the program ' .. kist.options.cmd .. ' is not on the path', vim.log.levels.ERROR)
  end
end

return M
