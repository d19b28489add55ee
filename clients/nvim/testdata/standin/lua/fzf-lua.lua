-- Stands in for fzf-lua, which no registry has, with a real fzf: of its fzf_exec what the plugin
-- uses, as fzf-lua's own of July 2026 does it.
local M = {}

function M.fzf_exec(rows, options)
  local file, args = vim.fn.tempname(), { 'fzf', '--prompt', options.prompt }
  vim.fn.writefile(rows, file)
  for name, value in pairs(options.fzf_opts) do
    vim.list_extend(args, { name, value })
  end
  vim.cmd('botright new')
  local buf = vim.api.nvim_get_current_buf()
  local command = table.concat(vim.tbl_map(vim.fn.shellescape, args), ' ')
  vim.fn.termopen({ 'sh', '-c', ('%s <%s >%s.chosen'):format(command, file, file) }, {
    on_exit = function(_, code)
      vim.api.nvim_buf_delete(buf, { force = true })
      if code == 0 then
        options.actions['default'](vim.fn.readfile(file .. '.chosen'))
      end
    end,
  })
end

return M
