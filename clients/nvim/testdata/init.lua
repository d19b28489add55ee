-- A Neovim with nothing but this plugin.
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')
vim.opt.runtimepath = { here, vim.env.VIMRUNTIME }
vim.opt.packpath = { vim.env.VIMRUNTIME }
vim.opt.swapfile = false
vim.opt.shadafile = 'NONE'
vim.g.kist_test = true
vim.cmd('filetype plugin on')
vim.cmd('runtime plugin/kist.lua')
