-- Runs the program kist, always with --json.
local M = {}

-- lines calls fn for each line of output, as it comes, however it is cut into pieces.
local function lines(fn)
  local rest = ''
  return function(_, data)
    data[1] = rest .. data[1]
    rest = table.remove(data)
    for _, line in ipairs(data) do
      fn(line)
    end
    if #data == 0 and rest ~= '' then
      return
    end
  end
end

-- fault reads what kist wrote about an error: text, its words and what helps; message; and
-- conflict, where a file isn't what a change was made for.
local function fault(written)
  local ok, said = pcall(vim.json.decode, written)
  if not ok or type(said) ~= 'table' or type(said.error) ~= 'table' then
    return { text = vim.trim(written), message = vim.trim(written) }
  end
  local err = said.error
  err.message = err.message or ''
  err.text = err.message .. (err.hint and err.hint ~= '' and '\n' .. err.hint or '')
  return err
end

-- command is what runs kist with arguments in a vault; without one, in the current one.
local function command(args, vault)
  local kist = require('kist')
  local cmd = { kist.options.cmd, '--json' }
  vault = vault or kist.vault()
  if vault then
    vim.list_extend(cmd, { '--vault', vault })
  end
  return vim.list_extend(cmd, args)
end

-- start runs kist with arguments in the vault; options: input, the text for its standard
-- input; line, which gets each line of output decoded; done, which gets whether it went well
-- and its error.
function M.start(args, options)
  local errors = {}
  local job = vim.fn.jobstart(command(args, options.vault), {
    on_stdout = lines(function(line)
      local ok, event = pcall(vim.json.decode, line)
      if ok and options.line then
        options.line(event)
      end
    end),
    on_stderr = lines(function(line)
      table.insert(errors, line)
    end),
    on_exit = function(_, code)
      if options.done then
        options.done(code == 0, fault(table.concat(errors, '\n')))
      end
    end,
  })
  if job <= 0 then
    return vim.notify('kist: the program ' .. require('kist').options.cmd .. ' is not on the path', vim.log.levels.ERROR)
  end
  if options.input then
    vim.fn.chansend(job, options.input)
  end
  vim.fn.chanclose(job, 'stdin')
  return job
end

-- call runs kist and gives done the one answer it prints; errors are shown. Options: vault;
-- failed, which gets an error that was shown.
function M.call(args, done, options)
  options = options or {}
  local out, errors = {}, {}
  local job = vim.fn.jobstart(command(args, options.vault), {
    stdout_buffered = true,
    stderr_buffered = true,
    on_stdout = function(_, data)
      out = data
    end,
    on_stderr = function(_, data)
      errors = data
    end,
    on_exit = function(_, code)
      local ok, answer = pcall(vim.json.decode, table.concat(out, '\n'))
      if code ~= 0 or not ok then
        local err = fault(table.concat(errors, '\n'))
        vim.notify('kist: ' .. err.text, vim.log.levels.ERROR)
        return options.failed and options.failed(err)
      end
      done(answer)
    end,
  })
  if job <= 0 then
    vim.notify('kist: the program ' .. require('kist').options.cmd .. ' is not on the path', vim.log.levels.ERROR)
  end
end

return M
