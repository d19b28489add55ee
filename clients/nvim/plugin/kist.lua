-- Defines :Kist, and starts the language server for Markdown in a vault.
if vim.g.loaded_kist or vim.fn.has('nvim-0.7.2') == 0 then
  return
end
vim.g.loaded_kist = true

vim.api.nvim_create_user_command('Kist', function(args)
  require('kist.commands').run(args.fargs)
end, {
  nargs = '+',
  complete = function(lead, line)
    return require('kist.commands').complete(lead, line)
  end,
  desc = 'Ask, search and change the vault; :help kist',
})

local group = vim.api.nvim_create_augroup('kist', {})
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'markdown',
  callback = function(event)
    if vim.g.kist_autostart ~= false then
      require('kist').attach(event.buf)
    end
  end,
})
