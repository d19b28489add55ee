-- Opens KIST_TEST_FILE of KIST_TEST_VAULT, has the language server carry out the command of
-- KIST_TEST_COMMAND (JSON; $URI is the file's), and says "done" or why not. With "kist" in it that
-- is what :Kist lists, of which it says how many there are.
vim.notify = function() end
vim.opt.autoread = true

local function attached()
  return #vim.tbl_values(vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)) > 0
end

vim.cmd('silent edit! ' .. vim.fn.fnameescape(vim.loop.fs_realpath(vim.env.KIST_TEST_VAULT) .. '/' .. vim.env.KIST_TEST_FILE))
vim.wait(20000, attached, 5)
local params = vim.fn.json_decode((vim.env.KIST_TEST_COMMAND:gsub('%$URI', function() return vim.uri_from_bufnr(0) end)))
if params.kist then
  vim.cmd('Kist ' .. params.kist)
  vim.wait(20000, function()
    return #vim.fn.getqflist() > 0
  end, 5)
  io.stdout:write(tostring(#vim.fn.getqflist()))
  vim.cmd('qa!')
end
local said = 'no answer'
for _, answer in pairs(vim.lsp.buf_request_sync(0, 'workspace/executeCommand', params, 20000) or {}) do
  local err = answer.err or answer.error
  said = err and err.message or 'done'
end
io.stdout:write(said)
vim.cmd('qa!')
