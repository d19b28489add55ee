-- Lets a person pick one of several things: by Telescope, fzf-lua or what Neovim has.
local M = {}

local function telescope(title, items, done)
  local ok = pcall(require, 'telescope')
  if not ok then
    return false
  end
  local actions, state = require('telescope.actions'), require('telescope.actions.state')
  require('telescope.pickers').new({}, {
    prompt_title = title,
    finder = require('telescope.finders').new_table({
      results = items,
      entry_maker = function(item)
        return { value = item, display = item.text, ordinal = item.text, filename = item.path, lnum = item.line }
      end,
    }),
    sorter = require('telescope.config').values.generic_sorter({}),
    previewer = items[1].path and require('telescope.config').values.grep_previewer({}) or nil,
    attach_mappings = function(prompt)
      actions.select_default:replace(function()
        actions.close(prompt)
        local entry = state.get_selected_entry()
        if entry then
          done(entry.value)
        end
      end)
      return true
    end,
  }):find()
  return true
end

local function fzf(title, items, done)
  local ok, lua = pcall(require, 'fzf-lua')
  if not ok then
    return false
  end
  local rows = {}
  for i, item in ipairs(items) do
    rows[i] = ('%d\t%s'):format(i, item.text)
  end
  lua.fzf_exec(rows, {
    prompt = title .. '> ',
    fzf_opts = { ['--with-nth'] = '2..', ['--delimiter'] = '\t' },
    actions = {
      ['default'] = function(chosen)
        local i = chosen and chosen[1] and tonumber(chosen[1]:match('^%d+'))
        if i then
          done(items[i])
        end
      end,
    },
  })
  return true
end

-- one asks for one of the items, {text, path, line}; done gets it.
function M.one(title, items, done)
  if #items == 0 then
    return vim.notify('kist: nothing found', vim.log.levels.INFO)
  end
  if telescope(title, items, done) or fzf(title, items, done) then
    return
  end
  vim.ui.select(items, {
    prompt = title,
    format_item = function(item)
      return item.text
    end,
  }, function(item)
    if item then
      done(item)
    end
  end)
end

-- open goes to an item's place.
function M.open(item)
  vim.cmd('edit ' .. vim.fn.fnameescape(item.path))
  pcall(vim.api.nvim_win_set_cursor, 0, { math.max(item.line or 1, 1), 0 })
end

-- has reports whether there is a picker besides Neovim's own.
function M.has()
  return pcall(require, 'telescope') or pcall(require, 'fzf-lua')
end

return M
