-- Asserts on the plugin in a headless Neovim. Environment: KIST_TEST_VAULT and KIST_TEST_OTHER,
-- vaults with the files that testdata/run makes. Prints "ok NAME" for each test and ends with 0, or 1.
local vault = vim.loop.fs_realpath(vim.env.KIST_TEST_VAULT)
local failed = false
local messages = {}
vim.notify = function(text)
  table.insert(messages, text)
end

local function wait(what, fn)
  if not vim.wait(20000, fn, 20) then
    error('waited in vain for ' .. what .. '; messages: ' .. vim.inspect(messages), 2)
  end
end

-- servers lists what is attached to the buffer: one at most.
local function servers()
  return vim.tbl_values(vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0))
end

local function open(name)
  vim.cmd('silent edit! ' .. vim.fn.fnameescape(vault .. '/' .. name))
  wait('the server', function()
    return #servers() > 0
  end)
end

local function lines(buf)
  return vim.api.nvim_buf_get_lines(buf or 0, 0, -1, false)
end

local function request(method, params)
  local got = vim.lsp.buf_request_sync(0, method, params, 20000)
  for _, answer in pairs(got or {}) do
    if answer.err then
      error(method .. ': ' .. answer.err.message, 2)
    end
    if answer.result then
      return answer.result
    end
  end
end

-- utf8 reports whether the server counts bytes, as newer ones agree with Neovim.
local function utf8()
  return servers()[1].offset_encoding == 'utf-8'
end

local function position(line, character)
  return { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line, character = character } }
end

local function read(name)
  local file = io.open(vault .. '/' .. name, 'rb')
  local text = file and file:read('*a')
  if file then
    file:close()
  end
  return text
end

local function equal(got, want)
  if not vim.deep_equal(got, want) then
    error(('got %s, want %s'):format(vim.inspect(got), vim.inspect(want)), 2)
  end
end

local function test(name, fn)
  messages = {}
  local ok, err = xpcall(fn, debug.traceback)
  io.stdout:write(ok and 'ok ' .. name .. '\n' or 'FAIL ' .. name .. ': ' .. tostring(err) .. '\n')
  failed = failed or not ok
  vim.cmd('silent! tabonly! | silent! only!')
end

test('completion', function()
  open('a.md')
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'äö 😀 [[bre' })
  local last = #lines() - 1
  local list = request('textDocument/completion', position(last, utf8() and 15 or 11))
  equal(#list.items, 1)
  equal(list.items[1].textEdit.newText, 'Bread]]')
  equal(list.items[1].textEdit.range.start.character, utf8() and 12 or 8)
  equal(vim.bo.omnifunc, 'v:lua.vim.lsp.omnifunc')
  vim.cmd('silent undo')
  vim.cmd('silent edit!')
end)

test('diagnostics', function()
  open('broken.md')
  wait('a diagnostic', function()
    return #vim.diagnostic.get(0) == 1
  end)
  local d = vim.diagnostic.get(0)[1]
  equal({ d.lnum, d.col, d.code or d.user_data.lsp.code }, { 0, 4, 'dead_link' })
end)

test('rename reloads buffers and keeps unsaved text', function()
  open('c.md')
  local other = vim.api.nvim_get_current_buf()
  open('u.md')
  local unsaved = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(unsaved, 0, -1, false, { 'not saved: [[Bread]]' })
  open('a.md')
  vim.wait(300) -- Neovim sends what was typed in other buffers with a delay
  vim.api.nvim_win_set_cursor(0, { 1, 7 })
  vim.lsp.buf.rename('Rye')
  wait('the files', function()
    return read('c.md') == 'Also [[Rye#Loaf]].\n'
  end)
  equal(read('a.md'), 'See [[Rye]].\n')
  equal(read('u.md'), 'saved\n')
  wait('the buffers', function()
    return lines()[1] == 'See [[Rye]].' and lines(other)[1] == 'Also [[Rye#Loaf]].' and lines(unsaved)[1] == 'not saved: [[Rye]]'
  end)
  equal(vim.bo[unsaved].modified, true)
  equal(vim.bo.modified, false)
  vim.api.nvim_buf_call(unsaved, function()
    vim.cmd('silent edit!')
  end)
end)

test('a buffer follows its file', function()
  open('Rye.md')
  local buf = vim.api.nvim_get_current_buf()
  open('a.md')
  vim.api.nvim_win_set_cursor(0, { 1, 7 })
  vim.lsp.buf.rename('sub/Corn')
  wait('the name', function()
    return vim.api.nvim_buf_get_name(buf) == vault .. '/sub/Corn.md'
  end)
  equal(lines(buf), { '# Loaf' })
end)

test('a rename of what has unsaved text, and of what was never saved', function()
  open('sub/links.md')
  local buf = vim.api.nvim_get_current_buf()
  equal(lines(), { 'To [a](../a.md) and [[plan]].' })
  vim.api.nvim_buf_set_lines(buf, 0, 0, false, { 'mine' })
  open('plan.md')
  local never = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(never, 0, -1, false, { 'Never saved. [[sub/links]] [[plan]]' })
  vim.wait(300) -- Neovim sends what was typed with a delay
  vim.api.nvim_win_set_cursor(0, { 1, 17 })
  vim.lsp.buf.rename('very/deep/links')
  wait('the name', function()
    return vim.api.nvim_buf_get_name(buf) == vault .. '/very/deep/links.md' and lines()[1]:match('%[%[very/deep/links%]%]')
  end)
  equal(lines(buf), { 'mine', 'To [a](../../a.md) and [[plan]].' })
  equal({ vim.bo[buf].modified, read('sub/links.md') == nil, read('very/deep/links.md') }, { true, true, 'To [a](../a.md) and [[plan]].\n' })
  vim.wait(300)
  vim.api.nvim_win_set_cursor(0, { 1, 38 })
  vim.lsp.buf.rename('scheme')
  wait('the name of what was never saved', function()
    return vim.api.nvim_buf_get_name(never) == vault .. '/scheme.md' and lines()[1]:match('%[%[scheme%]%]')
  end)
  equal({ vim.bo.modified, read('plan.md') == nil, read('scheme.md') == nil }, { true, true, true })
  wait('the link in the other buffer', function()
    return lines(buf)[2] == 'To [a](../../a.md) and [[scheme]].'
  end)
  -- The server knows both by their new names.
  vim.wait(300)
  local found = request('textDocument/definition', position(0, 40))
  equal(found[1].uri, vim.uri_from_fname(vault .. '/scheme.md'))
  vim.cmd('silent write')
  equal(read('scheme.md'), 'Never saved. [[very/deep/links]] [[scheme]]\n')
  vim.cmd('silent buffer ' .. buf)
  vim.cmd('silent write!')
  equal(read('very/deep/links.md'), 'mine\nTo [a](../../a.md) and [[scheme]].\n')
  for _, b in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(b)
    equal(name == vault .. '/plan.md' or name == vault .. '/sub/links.md', false)
  end
end)

test('a change on the disk leaves unsaved text alone', function()
  open('u.md')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'mine' })
  require('kist.reload').operation({ status = 'completed', reason = 'x', paths = { vault .. '/u.md' }, from = { '' } })
  equal(lines(), { 'mine' })
  equal(messages[1]:match('what you have unsaved stays') ~= nil, true)
  vim.cmd('silent edit!')
end)

test('a refused change shows its conflict', function()
  local text = '- [ ] one\n- [ ] two\n'
  local function write(text)
    local file = io.open(vault .. '/race.md', 'wb')
    file:write(text)
    file:close()
  end
  write(text)
  open('race.md')
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.api.nvim_buf_set_lines(0, 1, 2, false, { '- [ ] mine' })
  write('- [ ] by others\n' .. text)
  vim.wait(300) -- Neovim sends what was typed with a delay
  vim.ui.select = function(items, options, done)
    for i, item in ipairs(items) do
      if (options.format_item and options.format_item(item) or ''):match('^Complete this task') then
        return done(item, i)
      end
    end
    error('no action completes the task')
  end
  vim.lsp.buf.code_action()
  wait('the conflict', function()
    return vim.wo.diff and #vim.api.nvim_tabpage_list_wins(0) == 2
  end)
  equal(table.concat(messages):match('isn\'t on the disk as it is in the editor') ~= nil, true)
  equal(vim.api.nvim_buf_get_name(0), vault .. '/race.md')
  equal(lines(), { '- [ ] one', '- [ ] mine' })
  local now = vim.fn.bufnr('^kist://now/race.md$')
  equal(lines(now), { '- [ ] by others', '- [ ] one', '- [ ] two' })
  vim.cmd('wincmd l | normal q')
  equal(#vim.api.nvim_list_tabpages(), 1)
  equal(read('race.md'), '- [ ] by others\n' .. text)
  vim.cmd('silent edit!')
end)

-- status waits for what an operation is by now.
local function status(id)
  local op
  require('kist.cli').call({ 'op', 'show', id }, function(got)
    op = got.operation
  end)
  wait('the operation', function()
    return op
  end)
  return op.status
end

local function projects()
  return (read('projects/houseboat/project.md') or '') .. (read('projects/sauna/project.md') or '')
end

test('approve by digest, reject, and undo', function()
  local before = projects()
  local id
  for i, key in ipairs({ 'gr', 'ga' }) do
    open('a.md')
    local proposed
    require('kist.cli').call({ 'op', 'list', '--status', 'proposed' }, function(found)
      proposed = found.operations
    end)
    wait('the proposals', function()
      return proposed
    end)
    equal(#proposed, 3 - i)
    vim.cmd('Kist approve ' .. proposed[#proposed].id)
    wait('the diff', function()
      return vim.wo.diff and #vim.api.nvim_tabpage_list_wins(0) == 2
    end)
    equal(vim.api.nvim_buf_get_name(0):match('^kist://proposed/') ~= nil, true)
    vim.api.nvim_feedkeys(key, 'x', false)
    wait('the decision', function()
      return messages[#messages] and messages[#messages]:match(key == 'ga' and 'approved' or 'rejected')
    end)
    id = proposed[#proposed].id
    equal(status(id), key == 'ga' and 'completed' or 'rejected')
    equal(projects() ~= before, key == 'ga')
  end
  vim.cmd('Kist undo ' .. id)
  wait('the undo', function()
    return messages[#messages]:match('undone')
  end)
  equal(projects(), before)
end)

if pcall(require, 'telescope') then
  -- telescope waits for the picker of a command and returns it when it shows something.
  local function telescope(command)
    local picker
    vim.cmd(command)
    wait('the picker', function()
      picker = require('telescope.actions.state').get_current_picker(vim.api.nvim_get_current_buf())
      return picker and picker.manager and picker.manager:num_results() > 0
    end)
    return picker
  end

  test('search and operations by Telescope', function()
    open('a.md')
    equal(require('kist.pick').has(), true)
    local picker = telescope('Kist search loaf')
    equal(picker.prompt_title, 'kist search')
    local path = picker.manager:get_entry(1).value.path
    require('telescope.actions').select_default(picker.prompt_bufnr)
    wait('the document', function()
      return vim.api.nvim_buf_get_name(0) == path
    end)
    picker = telescope('Kist ops')
    equal(picker.manager:num_results() > 2, true)
    require('telescope.actions').close(picker.prompt_bufnr)
  end)
elseif pcall(require, 'fzf-lua') then
  -- fzf waits for the list of a command in which a row has a word, and returns its terminal.
  local function fzf(command, word)
    local buf
    vim.cmd(command)
    wait('the list', function()
      for _, b in ipairs(vim.api.nvim_list_bufs()) do
        if vim.bo[b].buftype == 'terminal' and table.concat(lines(b), '\n'):match(word) then
          buf = b
        end
      end
      return buf
    end)
    return buf
  end

  test('search and operations by fzf-lua', function()
    open('a.md')
    equal(require('kist.pick').has(), true)
    local buf = fzf('Kist search loaf', 'Corn')
    -- What finds a row isn't shown of it.
    equal(table.concat(lines(buf), '\n'):match('%f[%d]1\t') == nil, true)
    vim.fn.chansend(vim.bo[buf].channel, '\r')
    wait('the document', function()
      return vim.api.nvim_buf_get_name(0) == vault .. '/sub/Corn.md'
    end)
    buf = fzf('Kist ops', 'completed')
    vim.fn.chansend(vim.bo[buf].channel, '\27')
    wait('the end of the list', function()
      return not vim.api.nvim_buf_is_valid(buf)
    end)
  end)
else
  test('search and operations', function()
    open('a.md')
    vim.cmd('Kist search loaf')
    wait('results', function()
      return vim.fn.getqflist({ size = 0 }).size > 0
    end)
    vim.cmd('Kist tasks')
    wait('the tasks', function()
      local found = vim.fn.getqflist({ items = 0, title = 0 })
      return found.title == 'kist tasks' and #found.items > 0 and vim.fn.bufname(found.items[1].bufnr):match('%.md$')
    end)
    vim.cmd('cclose')
    local picked
    vim.ui.select = function(items, _, done)
      picked = items
      done(nil)
    end
    vim.cmd('Kist ops')
    wait('operations', function()
      return picked and #picked > 2
    end)
    for _, item in ipairs(picked) do
      equal(item.text:match('%.md') ~= nil, true)
    end
  end)
end

test('chat', function()
  open('a.md')
  vim.cmd('Kist ask what is in the vault?')
  wait('the answer', function()
    local chat = require('kist.chat').of()
    return chat.session ~= 'new' and chat.job == nil
  end)
  local buf = require('kist.chat').of().buf
  local text = table.concat(lines(buf), '\n')
  equal(text:match('^> what is in the vault%?\n') ~= nil, true)
  equal(#text > 60, true)
  -- An answer goes before what is being typed meanwhile.
  vim.api.nvim_buf_set_lines(buf, -2, -1, false, { '> half' })
  vim.cmd('Kist ask and in the notes?')
  wait('the second answer', function()
    return require('kist.chat').of().job == nil
  end)
  equal(lines(buf)[#lines(buf)], '> half')
  equal(table.concat(lines(buf), '\n'):match('\n> and in the notes%?\n') ~= nil, true)
  vim.cmd('Kist nonsense')
  equal(messages[#messages]:match('there is no command nonsense') ~= nil, true)
end)

test('what is said while an answer comes goes on with it', function()
  open('a.md')
  local chat = require('kist.chat').of()
  chat.session = 'new'
  vim.cmd('Kist ask start a project called Shed')
  vim.cmd('Kist ask add a task: buy nails')
  wait('both answers', function()
    return chat.job == nil
  end)
  equal(read('projects/shed/project.md') ~= nil, true)
  local found
  require('kist.cli').call({ 'task', 'list', '-p', 'shed' }, function(got)
    found = got.tasks
  end)
  wait('the task', function()
    return found
  end)
  equal(#found, 1)
end)

test('the conversation has one window, and what there is nothing of is named', function()
  open('a.md')
  vim.cmd('Kist chat')
  vim.cmd('tabnew ' .. vim.fn.fnameescape(vault .. '/c.md'))
  vim.cmd('Kist chat')
  equal(#vim.fn.win_findbuf(require('kist.chat').of().buf), 1)
  open('a.md')
  local own = vim.b.kist_vault
  vim.b.kist_vault = vim.env.KIST_TEST_OTHER
  vim.cmd('Kist approve')
  vim.cmd('Kist undo')
  wait('both answers', function()
    return #messages > 1
  end)
  table.sort(messages)
  equal(messages, { 'kist: nothing waits for approval', 'kist: there is nothing to undo' })
  vim.b.kist_vault = own
end)

test('each vault has its conversation', function()
  open('a.md')
  local chat = require('kist.chat').of()
  local before = #lines(chat.buf)
  vim.cmd('silent edit! ' .. vim.fn.fnameescape(vim.env.KIST_TEST_OTHER .. '/b.md'))
  vim.cmd('Kist ask note: from the other one')
  local other = require('kist.chat').of()
  wait('the answer', function()
    return other.job == nil
  end)
  equal(other.vault, vim.loop.fs_realpath(vim.env.KIST_TEST_OTHER))
  equal(#lines(chat.buf), before)
  equal(table.concat(lines(other.buf), '\n'):match('from the other one') ~= nil, true)
  open('a.md')
  equal(require('kist.chat').of(), chat)
end)

test('a proposal whose file was edited is shown anew, and one that was decided is only shown', function()
  open('a.md')
  local project = read('projects/houseboat/project.md')
  local chat = require('kist.chat').of()
  vim.cmd('Kist ask delete the project Shed')
  wait('the answer', function()
    return chat.job == nil
  end)
  local function proposed()
    local found
    require('kist.cli').call({ 'op', 'list', '--status', 'proposed' }, function(got)
      found = got.operations
    end)
    wait('the proposals', function()
      return found
    end)
    return found[#found]
  end
  local id = proposed().id
  vim.cmd('Kist approve ' .. id)
  wait('the proposal', function()
    return vim.api.nvim_buf_get_name(0) == 'kist://proposed/' .. id
  end)
  equal(table.concat(lines(), '\n'):match('\ndelete projects/shed/') ~= nil, true)
  vim.api.nvim_feedkeys('gr', 'x', false)
  wait('the decision', function()
    return messages[#messages] and messages[#messages]:match('rejected')
  end)
  messages = {}
  open('a.md')
  vim.cmd('Kist ask rename the houseboat project to Ship')
  wait('the answer', function()
    return chat.job == nil
  end)
  id = proposed().id
  vim.cmd('Kist approve ' .. id)
  wait('the diff', function()
    return vim.wo.diff
  end)
  local file = io.open(vault .. '/projects/houseboat/project.md', 'ab')
  file:write('more\n')
  file:close()
  vim.api.nvim_feedkeys('ga', 'x', false)
  wait('the proposal made anew', function()
    local name = vim.api.nvim_buf_get_name(0)
    return name:match('^kist://proposed/') and not name:match(id)
  end)
  equal(messages[1]:match('[{}]') == nil and messages[1]:match('edited since') ~= nil, true)
  equal(read('projects/houseboat/project.md'), project .. 'more\n')
  vim.api.nvim_feedkeys('gr', 'x', false)
  wait('the decision', function()
    return messages[#messages]:match('rejected')
  end)
  vim.cmd('Kist approve ' .. id)
  wait('the operation', function()
    return vim.api.nvim_buf_get_name(0) == 'kist://operation/' .. id
  end)
  equal(lines()[1]:match('%(rejected%)$') ~= nil, true)
end)

test('a refusal is told in words', function()
  vim.cmd('Kist undo ZZZZZZ')
  wait('the refusal', function()
    return #messages > 0
  end)
  equal(messages[1]:match('[{}]') == nil, true)
  equal(messages[1]:match('^kist: .*ZZZZZZ') ~= nil, true)
end)

test('what is written down is what there is', function()
  local names = require('kist.commands').names()
  local here = vim.fn.fnamemodify(vim.api.nvim_get_runtime_file('doc/kist.txt', false)[1], ':h:h')
  local help = table.concat(vim.fn.readfile(here .. '/doc/kist.txt'), '\n')
  for _, name in ipairs(names) do
    equal(help:match('\n:Kist ' .. name) ~= nil, true)
  end
  local page = table.concat(vim.fn.readfile(here .. '/../../docs/editors.md'), '\n')
  local listed = vim.split(page:match('`:Kist ([a-z|]+)`'), '|', { plain = true })
  table.sort(listed)
  equal(listed, names)
end)

test('health and help', function()
  open('a.md')
  vim.cmd('silent checkhealth kist')
  local text = table.concat(lines(), '\n')
  equal(text:match('the daemon answers') ~= nil, true)
  equal(text:match('ERROR') == nil, true)
  vim.cmd('silent help :Kist') -- by the tags that are here
  local doc = vim.fn.fnamemodify(vim.api.nvim_get_runtime_file('doc/kist.txt', false)[1], ':h')
  local tags = vim.fn.readfile(doc .. '/tags')
  vim.cmd('silent helptags ' .. vim.fn.fnameescape(doc))
  equal(vim.fn.readfile(doc .. '/tags'), tags)
  equal(vim.fn.expand('%:t'), 'kist.txt')
end)

vim.cmd(failed and 'cquit 1' or 'qall!')
