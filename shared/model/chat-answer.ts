import { createParser } from 'eventsource-parser';
import { z } from 'zod';

/** Tokens as the server counts them. */
export interface TokenUse {
  sent: number;
  answered: number;
}

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.number().int().min(0), completion_tokens: z.number().int().min(0) }).nullish(),
  error: z.unknown().optional(),
});

/** Reads the stream of a chat completion as it arrives. */
export class ChatAnswer {
  text = '';
  use: TokenUse | undefined;
  /** Whether the server said that it ended. */
  isComplete = false;
  /** Whether the server said that it failed, or what it sent could not be read. */
  isBroken = false;

  private readonly decoder = new TextDecoder();
  private readonly parser;

  constructor(onText: (text: string) => void = () => {}) {
    this.parser = createParser({
      onEvent: ({ data }) => {
        const before = this.text.length;
        this.readEvent(data);
        if (this.text.length > before) onText(this.text);
      },
    });
  }

  add(part: Uint8Array): void {
    this.parser.feed(this.decoder.decode(part, { stream: true }));
  }

  private readEvent(data: string): void {
    if (data.trim() === '[DONE]') {
      this.isComplete = true;
      return;
    }
    const chunk = chunkSchema.safeParse(parseJson(data)).data;
    if (!chunk || (chunk.error !== undefined && chunk.error !== null)) {
      this.isBroken = true;
      return;
    }
    const [choice] = chunk.choices ?? [];
    this.text += choice?.delta?.content ?? '';
    if (choice?.finish_reason) this.isComplete = true;
    if (chunk.usage) this.use = { sent: chunk.usage.prompt_tokens, answered: chunk.usage.completion_tokens };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
