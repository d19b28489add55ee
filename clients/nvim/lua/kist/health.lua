-- :checkhealth kist
local M = {}

function M.check()
  local h = vim.health or require('health')
  local start, ok = h.start or h.report_start, h.ok or h.report_ok
  local warn, err = h.warn or h.report_warn, h.error or h.report_error
  local kist = require('kist')
  start('kist')
  if vim.fn.has('nvim-0.7.2') == 1 then
    ok('Neovim is new enough')
  else
    err('Neovim 0.7.2 or newer is needed')
  end
  if vim.fn.executable(kist.options.cmd) == 0 then
    return err('the program ' .. kist.options.cmd .. ' is not on the path', { 'install kist, or set cmd in require("kist").setup' })
  end
  ok(vim.trim(vim.fn.system({ kist.options.cmd, 'version' })):gsub('\n.*', ''))
  local vault = kist.vault()
  if not vault then
    return warn('this folder is in no vault', { 'open a file below a folder with kist.yaml, or set vault in require("kist").setup' })
  end
  ok('the vault is ' .. vault)
  local answer = vim.fn.system({ kist.options.cmd, '--vault', vault, '--json', 'status' })
  if vim.v.shell_error == 0 then
    ok('the daemon answers')
  else
    err('the daemon does not answer: ' .. vim.trim(answer), { 'kist doctor --vault ' .. vault })
  end
  for _, picker in ipairs({ 'telescope', 'fzf-lua' }) do
    if pcall(require, picker) then
      ok('lists are shown by ' .. picker)
    end
  end
end

return M
