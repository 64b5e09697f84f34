import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

/**
 * Puts the settings of `.env` in the working directory, if there is one, into the environment. Variables that are already set,
 * even to an empty value, keep their value.
 */
export function loadEnvFile(): void {
  const path = resolve('.env');
  const text = readIfPresent(path);
  if (text === undefined) return;
  checkLines(path, text);
  for (const [setting, value] of Object.entries(parseEnv(text))) process.env[setting] ??= value;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`${path}: cannot be read (${code ?? message}); give this user the right to read it, or remove it`);
  }
}

/** An assignment as Node's parser reads it: a quoted value may have several lines. */
const assignment = /^[^\S\n]*(?:export\s+)?[A-Za-z_]\w*[^\S\n]*=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`)?.*/gm;

/** Node's parser takes a line without `=` for the start of the next name, or passes over it. */
function checkLines(path: string, text: string): void {
  const others = text.replace(assignment, (lines) => lines.replace(/[^\n]/g, '')).split('\n');
  const wrong = others.findIndex((line) => /^\s*[^\s#]/.test(line));
  if (wrong >= 0) throw new Error(`${path}: line ${wrong + 1} is not NAME=value`);
}
