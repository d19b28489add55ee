-- A Neovim with nothing but this plugin.
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')
-- Where parsers of Neovim's own lie, and other plugins that a test is to find: a:b:c.
local others = vim.split(vim.env.KIST_TEST_RUNTIMEPATH or '', ':', { trimempty = true })
for _, dir in ipairs(vim.opt.runtimepath:get()) do
  if dir:match('/lib[^/]*/.*nvim$') or dir:match('/lib[^/]*/nvim$') then
    table.insert(others, dir)
  end
end
vim.opt.runtimepath = vim.list_extend({ here, vim.env.VIMRUNTIME }, others)
vim.opt.packpath = { vim.env.VIMRUNTIME }
vim.opt.swapfile = false
vim.opt.shadafile = 'NONE'
vim.g.kist_test = true
vim.cmd('filetype plugin on')
vim.cmd('runtime plugin/kist.lua')
