// Reads answers with the official SDKs of npm. Standard input is an object: sdk is openai or
// anthropic, and streams has the addresses of servers by name, each of which plays one answer
// to whatever it is asked. Standard output has for each name the message that the SDK put
// together, as value, or why it didn't, as error.
import { text } from 'node:stream/consumers'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

const messages = [{ role: 'user', content: 'Hello.' }]
const readers = {
  openai: (baseURL) =>
    new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0, timeout: 20_000 }).chat.completions
      .stream({ model: 'model', messages, stream_options: { include_usage: true } })
      .finalChatCompletion(),
  anthropic: (baseURL) =>
    new Anthropic({ baseURL, apiKey: 'none', maxRetries: 0, timeout: 20_000 }).messages
      .stream({ model: 'model', messages, max_tokens: 100 })
      .finalMessage(),
}

console.error = () => {} // the SDKs say there what they throw too
const { sdk, streams } = JSON.parse(await text(process.stdin))
const read = {}
for (const [name, url] of Object.entries(streams)) {
  try {
    read[name] = { value: await readers[sdk](url) }
  } catch (e) {
    read[name] = { error: String(e) }
  }
}
process.stdout.write(JSON.stringify(read))
