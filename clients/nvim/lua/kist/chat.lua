-- The conversation of a vault, in a split; answers appear as they come.
local M = {}

local chats = {} -- by vault: its buf, session, the job that answers and what waits for its end

-- of returns the conversation with the vault of the current buffer.
function M.of()
  local vault = require('kist').vault() or ''
  local chat = chats[vault] or { vault = vault, session = 'new', waiting = {} }
  chats[vault] = chat
  if chat.buf and vim.api.nvim_buf_is_valid(chat.buf) then
    return chat
  end
  local buf = vim.api.nvim_create_buf(false, true)
  chat.buf = buf
  vim.api.nvim_buf_set_name(buf, 'kist://chat' .. vault)
  vim.b[buf].kist_vault = vault
  vim.bo[buf].buftype, vim.bo[buf].bufhidden, vim.bo[buf].swapfile = 'prompt', 'hide', false
  vim.fn.prompt_setprompt(buf, '> ')
  vim.fn.prompt_setcallback(buf, function(text)
    if vim.trim(text) ~= '' then
      M.send(chat, text, true)
    end
  end)
  return chat
end

-- open shows the conversation and returns it.
function M.open()
  local chat = M.of()
  local buf = chat.buf
  local win = vim.fn.win_findbuf(buf)[1] -- on any tab page
  if win then
    vim.api.nvim_set_current_win(win)
  else
    vim.cmd('botright split')
    vim.api.nvim_win_set_buf(0, buf)
    vim.wo.wrap, vim.wo.linebreak = true, true
  end
  return chat
end

-- typed_row returns the row, from 0, in which what is being typed begins: from Neovim 0.12 on that
-- may be several lines, of which a mark tells, else it is the last line.
local function typed_row(buf)
  local ok, mark = pcall(vim.api.nvim_buf_get_mark, buf, ':')
  if ok and mark[1] > 0 then
    return mark[1] - 1
  end
  return vim.api.nvim_buf_line_count(buf) - 1
end

-- add puts text before what is being typed.
local function add(buf, text)
  local typed = typed_row(buf)
  local from = math.max(typed - 1, 0)
  local parts = vim.split(text, '\n', { plain = true })
  parts[1] = (vim.api.nvim_buf_get_lines(buf, from, typed, false)[1] or '') .. parts[1]
  vim.api.nvim_buf_set_lines(buf, from, typed, false, parts)
  vim.bo[buf].modified = false
  local win = vim.fn.bufwinid(buf)
  if win > 0 then
    vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(buf), 0 })
  end
end

-- strike crosses out what a model said that it had done, and hasn't, or that it only thought,
-- its last line first.
local function strike(buf, text)
  local lines = vim.split(vim.trim(text), '\n', { plain = true })
  for row = typed_row(buf) - 1, 0, -1 do
    local said = lines[#lines]
    local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
    local from, to = line:find(said, 1, true)
    if from then
      if said:find('%S') then
        vim.api.nvim_buf_set_text(buf, row, from - 1, row, to, { '~~' .. said .. '~~' })
        vim.bo[buf].modified = false
      end
      table.remove(lines)
      if #lines == 0 then
        return
      end
    end
  end
end

-- show puts an event of a turn into the conversation.
local function show(chat, event)
  local buf = chat.buf
  if event.textDelta then
    add(buf, event.textDelta.text)
  elseif event.struck then
    strike(buf, event.struck.text or '')
  elseif event.operation then
    local op = event.operation.operation or event.operation
    add(buf, ('\n[%s] %s\n'):format(op.status or 'operation', op.reason or ''))
  elseif event.approvalRequest then
    add(buf, '\n[proposed; :Kist approve shows it]\n')
  elseif event.notice then
    add(buf, '\n' .. (event.notice.text or '') .. '\n')
  elseif event.error then
    add(buf, '\n' .. (event.error.message or '') .. '\n')
  elseif event.done then
    chat.session = event.done.session
  end
end

-- send says something; typed tells that it stands in the buffer already. What is said while an
-- answer comes waits for its end: it goes on with the same conversation, in order.
function M.send(chat, text, typed)
  local buf = chat.buf
  if not typed then
    add(buf, '> ' .. text:gsub('\n', ' ') .. '\n')
  end
  if chat.job then
    return table.insert(chat.waiting, text)
  end
  add(buf, '\n')
  chat.job = require('kist.cli').start({ 'ask', '--session', chat.session }, {
    vault = chat.vault ~= '' and chat.vault or nil,
    input = text,
    line = function(event)
      show(chat, event)
    end,
    done = function(ok, err)
      chat.job = nil
      add(buf, (ok and '' or '\n' .. err.text) .. '\n\n')
      if #chat.waiting > 0 then
        M.send(chat, table.remove(chat.waiting, 1), true)
      end
    end,
  })
end

return M
