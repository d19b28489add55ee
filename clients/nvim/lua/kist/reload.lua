-- Buffers follow what operations do to their files. What isn't saved is never lost.
local M = {}

local function buffers()
  local all = {}
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].buftype == '' then
      local name = vim.api.nvim_buf_get_name(buf)
      all[vim.loop.fs_realpath(name) or name] = buf
    end
  end
  return all
end

local function load(buf)
  vim.bo[buf].autoread = true
  vim.api.nvim_buf_call(buf, function()
    local view = vim.fn.winsaveview()
    vim.cmd('silent! checktime ' .. buf)
    vim.fn.winrestview(view)
  end)
end

-- servers are the ids of kist's own that a buffer is attached to.
local function servers(buf)
  local all = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buf }) or vim.lsp.buf_get_clients(buf)
  local ids = {}
  for _, client in pairs(all) do
    if client.name == 'kist' then
      table.insert(ids, client.id)
    end
  end
  return ids
end

-- follow gives a buffer the name that its file has now. The server knows unsaved text by its
-- name: it hears of the old one's end, and of the new one.
local function follow(buf, from, to)
  local ids = vim.bo[buf].modified and servers(buf) or {}
  for _, id in ipairs(ids) do
    vim.lsp.buf_detach_client(buf, id)
  end
  vim.api.nvim_buf_call(buf, function()
    vim.cmd('silent! keepalt file ' .. vim.fn.fnameescape(to))
    -- The old name stays behind as a buffer of its own.
    local old = vim.fn.bufnr('^' .. vim.fn.escape(from, '\\*?[{^$') .. '$')
    if old > 0 and old ~= buf then
      pcall(vim.api.nvim_buf_delete, old, {})
    end
    if not vim.bo[buf].modified then
      vim.cmd('silent! edit!')
    end
  end)
  for _, id in ipairs(ids) do
    vim.lsp.buf_attach_client(buf, id)
  end
end

-- renamed gives a buffer that was never saved the name that its links have now.
function M.renamed(params)
  local buf = buffers()[params.from]
  if buf then
    follow(buf, params.from, params.to)
  end
end

-- operation takes in the server's news of an operation.
function M.operation(op)
  if op.status ~= 'completed' and op.status ~= 'rolled_back' then
    return
  end
  local open, moved = buffers(), {}
  for i, path in ipairs(op.paths) do
    local from = op.from and op.from[i] or ''
    if from ~= '' and open[from] then
      follow(open[from], from, path)
      open[path], moved[path] = open[from], from
    end
  end
  for _, path in ipairs(op.paths) do
    local buf = open[path]
    if buf and vim.bo[buf].modified and moved[path] then
      vim.notify(('kist moved %s to %s (%s); what you have unsaved stays, :w! writes it there'):format(
        vim.fn.fnamemodify(moved[path], ':.'), vim.fn.fnamemodify(path, ':.'), op.reason), vim.log.levels.WARN)
    elseif buf and vim.bo[buf].modified then
      vim.notify(('kist changed %s on the disk (%s); what you have unsaved stays. :w! keeps yours, :e! takes the disk\'s'):format(
        vim.fn.fnamemodify(path, ':.'), op.reason), vim.log.levels.WARN)
    elseif buf then
      load(buf)
    end
  end
end

return M
