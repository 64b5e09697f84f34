import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

const name = /^[A-Za-z_]\w*$/;

/**
 * Puts the settings of `.env` in the working directory, if there is one, into the environment. Variables that are already set,
 * even to an empty value, keep their value.
 */
export function loadEnvFile(): void {
  const path = resolve('.env');
  const text = textOf(path);
  if (text === undefined) return;
  checkLines(path, text);
  for (const [setting, value] of Object.entries(parseEnv(text))) process.env[setting] ??= value;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`${path}: cannot be read (${code ?? message}); give this user the right to read it, or remove it`);
  }
}

/** Node's parser reads a line without `=` as the start of the next name. */
function checkLines(path: string, text: string): void {
  const wrong = Object.keys(parseEnv(`${text}\n_=\n`)).find((key) => !name.test(key));
  if (wrong === undefined) return;
  const line = text.slice(0, text.indexOf(wrong.split('\n', 1)[0] as string)).split('\n').length;
  throw new Error(`${path}: line ${line} is not NAME=value`);
}
