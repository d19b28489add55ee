-- What was refused, for a document isn't what the editor had: what the file holds now is shown
-- beside what the editor has.
local M = {}

-- show opens a conflict, as errors of the API have it: what is to be kept of the file can be
-- taken over into the buffer. Nothing is written.
function M.show(conflict, vault)
  local file = vault .. '/' .. conflict.path
  local view = require('kist.proposal')
  vim.cmd('tab split ' .. vim.fn.fnameescape(file))
  vim.cmd('diffthis')
  vim.cmd('rightbelow vsplit')
  local now = view.scratch('kist://now/' .. conflict.path, conflict.now or '', 'markdown')
  vim.api.nvim_win_set_buf(0, now)
  vim.cmd('diffthis')
  vim.keymap.set('n', 'q', '<Cmd>tabclose<CR>', { buffer = now, desc = 'close the conflict' })
  vim.cmd('wincmd p')
end

-- refused tells of an error of the server, and shows its conflict where it has one.
function M.refused(err, vault)
  local conflict = type(err.data) == 'table' and err.data.conflict
  local text = 'kist: ' .. err.message
  if type(conflict) == 'table' and conflict.path then
    vim.schedule(function()
      M.show(conflict, vault)
    end)
    text = text .. ('. Beside it is what %s holds now; :e! takes that, :w! keeps yours'):format(conflict.path)
  end
  vim.notify(text, vim.log.levels.ERROR)
end

return M
