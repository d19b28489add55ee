-- The language server of kist: started for Markdown files in a vault, one for each vault.
local M = {}

M.options = { cmd = 'kist', vault = nil, codelens = true }

local clients = {} -- id by vault
local last -- the vault that was found last, for buffers that are no file and don't say which is theirs

-- setup takes options: cmd, the program; vault, a folder that counts everywhere; codelens.
function M.setup(options)
  M.options = vim.tbl_extend('force', M.options, options or {})
end

-- vault returns the folder of the vault that a file or buffer is in; nil: none.
function M.vault(buf)
  if M.options.vault then
    return vim.fn.fnamemodify(M.options.vault, ':p'):gsub('/$', '')
  end
  local own = vim.b[buf or 0].kist_vault
  if own then
    return own ~= '' and own or nil
  end
  local name = vim.api.nvim_buf_get_name(buf or 0)
  if last and (name:match('^%a+://') or vim.bo[buf or 0].buftype ~= '') then
    return last
  end
  local dir = name ~= '' and vim.fn.fnamemodify(name, ':p:h') or vim.fn.getcwd()
  local found = vim.fn.findfile('kist.yaml', vim.fn.escape(dir, ' ,;') .. ';')
  if found == '' then
    return nil
  end
  last = vim.fn.fnamemodify(found, ':p:h')
  return last
end

-- send sends a request of a client; without a handler its own gets the answer.
local function send(client, method, params, handler, buf)
  if vim.fn.has('nvim-0.11') == 1 then
    return client:request(method, params, handler, buf)
  end
  return client.request(method, params, handler, buf or 0)
end

-- answered makes a handler of answers: what is refused is shown, all else is Neovim's matter.
local function answered(method)
  return function(err, result, context, config)
    if err then
      return require('kist.conflict').refused(err, vim.lsp.get_client_by_id(context.client_id).config.root_dir)
    end
    local own = vim.lsp.handlers[method]
    return own and own(err, result, context, config)
  end
end

local function on_attach(client, buf)
  -- A lens would have its answer handled by Neovim 0.7 itself.
  for _, name in ipairs(client.server_capabilities.executeCommandProvider.commands) do
    client.commands[name] = function(command, context)
      send(client, 'workspace/executeCommand', { command = name, arguments = command.arguments }, nil, context.bufnr)
    end
  end
  vim.bo[buf].omnifunc = 'v:lua.vim.lsp.omnifunc'
  if M.options.codelens and vim.lsp.codelens and client.server_capabilities.codeLensProvider then
    local group = vim.api.nvim_create_augroup('kist-lens-' .. buf, {})
    vim.api.nvim_create_autocmd({ 'BufEnter', 'BufWritePost', 'InsertLeave' }, {
      group = group,
      buffer = buf,
      callback = function()
        pcall(vim.lsp.codelens.refresh)
      end,
    })
  end
end

-- config is what Neovim starts the server by.
function M.config(root)
  local cmd = { M.options.cmd, 'lsp' }
  if root then
    vim.list_extend(cmd, { '--vault', root })
  end
  return {
    name = 'kist',
    cmd = cmd,
    root_dir = root,
    filetypes = { 'markdown' },
    root_markers = { 'kist.yaml' },
    on_attach = on_attach,
    flags = { debounce_text_changes = 50 },
    init_options = { follows = true }, -- buffers take the names that they are told of
    on_exit = function(_, _, id)
      vim.schedule(function()
        for dir, known in pairs(clients) do
          if known == id then
            clients[dir] = nil
          end
        end
      end)
    end,
    handlers = {
      ['textDocument/rename'] = answered('textDocument/rename'),
      ['workspace/executeCommand'] = answered('workspace/executeCommand'),
      ['kist/operation'] = function(err, params)
        if not err then
          require('kist.reload').operation(params)
        end
      end,
      ['kist/renamed'] = function(err, params)
        if not err then
          require('kist.reload').renamed(params)
        end
      end,
      ['workspace/codeLens/refresh'] = function()
        pcall(vim.lsp.codelens.refresh)
        return vim.NIL
      end,
    },
  }
end

-- client returns the id of the server of a vault, which is started where there is none.
function M.client(root)
  local id = clients[root]
  if id and vim.lsp.get_client_by_id(id) then
    return id
  end
  if vim.fn.executable(M.options.cmd) == 0 then
    vim.notify_once('kist: the program ' .. M.options.cmd .. ' is not on the path', vim.log.levels.WARN)
    return nil
  end
  id = vim.lsp.start_client(M.config(root))
  clients[root] = id
  return id
end

-- attach connects a buffer with the server of its vault; files outside of a vault are left alone.
function M.attach(buf)
  buf = buf or vim.api.nvim_get_current_buf()
  if vim.bo[buf].buftype ~= '' or vim.api.nvim_buf_get_name(buf) == '' then
    return
  end
  local root = M.vault(buf)
  if not root then
    return
  end
  if vim.lsp.config and vim.lsp.enable then -- Neovim 0.11 starts it by itself from here on
    if not M.enabled then
      M.enabled = true
      local config = M.config(nil)
      config.root_dir, config.name = nil, nil
      vim.lsp.config('kist', config)
      vim.lsp.enable('kist')
    end
    return
  end
  local id = M.client(root)
  if id then
    vim.lsp.buf_attach_client(buf, id)
  end
end

-- request sends a request to the server of a vault, the current one where none is given; done
-- gets what it answers.
function M.request(method, params, done, root)
  root = root or M.vault()
  if not root then
    return vim.notify('kist: this file is in no vault', vim.log.levels.ERROR)
  end
  local client
  for _, c in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if c.name == 'kist' and c.config.root_dir == root then
      client = c
    end
  end
  if not client then
    local id = M.client(root)
    client = id and vim.lsp.get_client_by_id(id)
  end
  if not client then
    -- It is being started: get_client_by_id knows it only when it is initialized.
    return vim.defer_fn(function()
      M.request(method, params, done, root)
    end, 50)
  end
  local function handler(err, result)
    if err then
      return require('kist.conflict').refused(err, root)
    end
    done(result)
  end
  send(client, method, params, handler)
end

return M
