import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { readLines } from '../events/output.js';

/** A process is a connection: where one ends, so does the other. Its folder is beside the socket. */
const request = z.object({ folder: z.string().regex(/^bi-\w{1,20}$/) });

const signal = z.custom<NodeJS.Signals>((value) => typeof value === 'string' && value in constants.signals);

/** Longest reason why scripts cannot be run, in characters; it is shown to whoever calls a script. */
const maxReasonLength = 1000;

/** Messages from a runner about a process. */
const message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('missing'), message: z.string().transform((text) => text.slice(0, maxReasonLength)) }),
  z.object({ kind: z.literal('launched') }),
  z.object({ kind: z.literal('listening') }),
  z.object({ kind: z.literal('used'), processorMs: z.number().nonnegative(), residentBytes: z.number().nonnegative() }),
  z.object({ kind: z.enum(['output', 'errors']), base64: z.base64() }),
  z.object({ kind: z.literal('ended'), end: z.union([z.int(), signal, z.null()]) }),
]);

export type RunnerRequest = z.output<typeof request>;
export type RunnerMessage = z.output<typeof message>;

/** Output of a process in one message: a longer line would be cut. */
export const maxBytes = 8 * 1024;

export const encodeLine = (value: RunnerRequest | RunnerMessage): string => `${JSON.stringify(value)}\n`;

/** Calls `on` with each message of a stream, and with undefined for a line that is none: neither side trusts the other. */
const messageReader =
  <T>(shape: z.ZodType<T>) =>
  (stream: Readable, on: (value: T | undefined) => void): void =>
    readLines(stream, (text) => on(parseLine(shape, text)));

function parseLine<T>(shape: z.ZodType<T>, text: string): T | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const readRequests = messageReader(request);
export const readMessages = messageReader(message);
