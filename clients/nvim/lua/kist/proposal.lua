-- A proposed operation, file by file in a diff split: ga approves what is shown, gr rejects it.
local M = {}

-- scratch makes a buffer of a text that is only to be read.
function M.scratch(title, text, filetype)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split((text:gsub('\r\n', '\n'):gsub('\n$', '')), '\n', { plain = true }))
  pcall(vim.api.nvim_buf_set_name, buf, title)
  vim.bo[buf].bufhidden, vim.bo[buf].modifiable, vim.bo[buf].filetype = 'wipe', false, filetype
  return buf
end

local function close(tab)
  if vim.api.nvim_tabpage_is_valid(tab) and #vim.api.nvim_list_tabpages() > 1 then
    vim.cmd('tabclose ' .. vim.api.nvim_tabpage_get_number(tab))
  end
end

-- anew shows the proposal that was made in the place of one whose file was edited since.
local function anew(op, vault, conflict)
  require('kist.cli').call({ 'op', 'list', '--status', 'proposed' }, function(found)
    for _, other in ipairs(found.operations or {}) do
      for _, c in ipairs(other.changes or {}) do
        if other.id ~= op.id and other.reason == op.reason and c.path == conflict.path then
          return M.open(other.id, vault)
        end
      end
    end
  end, { vault = vault })
end

local function decide(op, vault, tab, args, word)
  require('kist.cli').call(args, function()
    vim.notify(('kist: %s: %s'):format(word, op.reason))
    close(tab)
  end, {
    vault = vault,
    failed = function(err)
      if err.conflict then
        close(tab)
        anew(op, vault, err.conflict)
      end
    end,
  })
end

-- summary says in a line what a change does to its file.
local function summary(c)
  if (c.from or '') ~= '' then
    return ('move %s to %s'):format(c.from, c.path)
  end
  return ((c.after or '') == '' and 'delete ' or (c.before or '') == '' and 'create ' or 'edit ') .. c.path
end

-- show opens a proposed operation, as GetOperation returns it with texts.
function M.show(op, vault)
  vim.cmd('tabnew')
  local tab, first = vim.api.nvim_get_current_tabpage(), true
  local bufs = {}
  for _, c in ipairs(op.changes or {}) do
    local file = vault .. '/' .. c.path
    local now = vim.fn.filereadable(file) == 1 and table.concat(vim.fn.readfile(file), '\n') or ''
    if c.text then
      if not first then
        vim.cmd('tab split')
      end
      local left = M.scratch('kist://now/' .. op.id .. '/' .. c.path, now, 'markdown')
      local right = M.scratch('kist://proposed/' .. op.id .. '/' .. c.path, c.text, 'markdown')
      vim.api.nvim_win_set_buf(0, left)
      vim.cmd('diffthis')
      vim.cmd('rightbelow vsplit')
      vim.api.nvim_win_set_buf(0, right)
      vim.cmd('diffthis')
      vim.list_extend(bufs, { left, right })
      first = false
    end
  end
  if first then
    local patch = op.reason
    for _, c in ipairs(op.changes or {}) do
      patch = patch .. '\n' .. summary(c) .. '\n' .. (c.patch or '')
    end
    local buf = M.scratch('kist://proposed/' .. op.id, patch, 'diff')
    vim.api.nvim_win_set_buf(0, buf)
    bufs = { buf }
  end
  for _, buf in ipairs(bufs) do
    vim.keymap.set('n', 'ga', function()
      decide(op, vault, tab, { 'op', 'approve', op.id, '--digest', op.digest, '--yes' }, 'approved')
    end, { buffer = buf, desc = 'approve the operation that is shown' })
    vim.keymap.set('n', 'gr', function()
      decide(op, vault, tab, { 'op', 'reject', op.id }, 'rejected')
    end, { buffer = buf, desc = 'reject the operation that is shown' })
  end
  vim.api.nvim_echo({ { 'kist: ' .. op.reason .. '   ga approves, gr rejects' } }, false, {})
end

-- open fetches an operation and shows it; what is no proposal any more is only shown.
function M.open(id, vault)
  local kist = require('kist')
  vault = vault or kist.vault()
  kist.request('workspace/executeCommand', { command = 'kist.proposal', arguments = { id } }, function(op)
    if op.status == 'proposed' then
      return M.show(op, vault)
    end
    M.view(op)
  end, vault)
end

-- view shows an operation that is no proposal, as a diff.
function M.view(op)
  local patch = ('%s (%s)\n'):format(op.reason, op.status)
  for _, c in ipairs(op.changes or {}) do
    patch = patch .. summary(c) .. '\n' .. (c.patch or '')
  end
  vim.cmd('split')
  vim.api.nvim_win_set_buf(0, M.scratch('kist://operation/' .. op.id, patch, 'diff'))
end

return M
