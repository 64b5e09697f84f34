import { parseDocument, stringify } from 'yaml';
import { parseVariables } from './space-config.js';

/** A `vars.yaml` with these variables; those that stay keep their lines. */
export function editVariables(text: string | undefined, variables: Record<string, unknown>): string {
  const { variables: known, problem } = parseVariables(text);
  if (text === undefined || problem !== undefined || Object.keys(known).length === 0)
    return stringify(variables, { lineWidth: 0 });
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
  for (const name of Object.keys(known)) if (!(name in variables)) document.delete(name);
  for (const [name, value] of Object.entries(variables)) if (known[name] !== value) document.set(name, value);
  return document.toString({ lineWidth: 0 });
}
