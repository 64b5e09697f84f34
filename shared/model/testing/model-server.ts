import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from '../model.js';

/** A request that the server got. */
export interface ModelServerRequest {
  authorization: string | undefined;
  model: string;
  messages: Message[];
  max_tokens: number;
}

/** A server that speaks the protocol of OpenAI, with a model that does whatever it reads. */
export interface ModelServer {
  url: string;
  requests: ModelServerRequest[];
  /** The connections whose client went away before the end. */
  left: number;
  /** Resolves once it holds. */
  until(holds: () => boolean): Promise<void>;
  /** Goes on with all answers that wait. */
  release(): void;
  close(): Promise<void>;
}

/** The settings of a server that may ask it without a bound. */
export const modelSettings = ({ url }: Pick<ModelServer, 'url'>) => ({
  MODEL_URL: url,
  MODEL_NAME: 'test',
  MODEL_QUESTIONS_PER_HOUR: '0',
});

/** The last command in all that the model is sent: it obeys whoever speaks, pages too. */
const COMMAND = /⟪(say|dump|fail|break|hang|wait|huge|silent)(?: ([^⟫]*))?⟫/g;

function lastCommand(text: string): { name: string; value: string } {
  const [, name = '', value = ''] = [...text.matchAll(COMMAND)].at(-1) ?? [];
  return { name, value: value.replaceAll('\\n', '\n') };
}

/** Without a command: what its first source says, or each text that it is to translate in other letters. */
function usualAnswer(messages: Message[]): string {
  const last = messages.at(-1)?.content ?? '';
  const toTranslate = /^\{"texts":/.test(last) ? (JSON.parse(last) as { texts: string[] }).texts : undefined;
  if (toTranslate) return JSON.stringify({ texts: toTranslate.map(translated) });
  const [, first] = /<source [^>]*>\n([\s\S]*?)\n<\/source>/.exec(last) ?? [];
  if (first === undefined) return 'What is it?\nHow do I begin?\n';
  return `The pages say: ${first.split('\n')[0]} [1]\n\n===QUESTIONS===\n- What is next?\n- And then?\n`;
}

/** A text as this model translates it: its words in capitals, and what is marked as it is. */
export const translated = (text: string): string =>
  text.replace(/(⟦\d+⟧)|[^⟦]+/g, (part, mark?: string) => (mark === undefined ? part.toUpperCase() : part));

const chunk = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`;
const delta = (content: string, finish: string | null = null) =>
  chunk({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });

export async function openModelServer(): Promise<ModelServer> {
  const requests: ModelServerRequest[] = [];
  const events = new EventEmitter().setMaxListeners(0);
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) self.left += 1;
      events.emit('change');
    });
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // For tests in other processes: what it was asked.
    if (request.method === 'GET') return void response.end(JSON.stringify(requests));
    let text = '';
    for await (const part of request) text += part;
    const asked = { ...JSON.parse(text), authorization: request.headers.authorization } as ModelServerRequest;
    requests.push(asked);
    events.emit('change');
    const all = asked.messages.map(({ content }) => content).join('\n');
    const { name, value } = lastCommand(all);
    if (name === 'fail')
      return void response.writeHead(Number(value), { 'content-type': 'application/json' }).end('{}');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (name === 'silent') return;
    const said = { say: value, dump: all.replaceAll('=', '') }[name] ?? usualAnswer(asked.messages);
    const words = said.match(/\s*\S+|\s+$/g) ?? [];
    const middle = Math.ceil(words.length / 2);
    response.write(`: a comment\n\n${chunk({ choices: [{ index: 0, delta: { role: 'assistant' } }] })}`);
    for (const [at, word] of words.entries()) {
      if (at === middle && name === 'break') return void response.destroy();
      if (at === middle && name === 'hang') return;
      if (at === middle && name === 'wait') await once(events, 'release');
      response.write(delta(word));
    }
    if (name === 'huge')
      for (let at = 0; !response.destroyed && at < 4096; at++) response.write(delta('x'.repeat(4096)));
    response.write(delta('', 'stop'));
    response.write(chunk({ choices: [], usage: { prompt_tokens: 100, completion_tokens: words.length } }));
    response.end('data: [DONE]\n\n');
  }

  const self: ModelServer = {
    url: '',
    requests,
    left: 0,
    async until(holds) {
      while (!holds()) await once(events, 'change');
    },
    release: () => void events.emit('release'),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return self;
}
