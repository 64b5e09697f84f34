import type { Blobs } from '../../../shared/blobs/port.js';
import { notFound } from '../../../shared/errors/errors.js';
import type { Secrets } from '../../../shared/secrets/secrets.js';
import type { Store } from '../../../shared/store/port.js';
import type { Program } from '../runtime/runtime.js';
import { type IntegrationDocument, integrations } from './model.js';
import { readFile } from './publishing/files.js';

/** Reads an integration. Throws 404 for an unknown name. */
export async function findIntegration({ store }: { store: Store }, name: string): Promise<IntegrationDocument> {
  const found = await store.get(integrations, name);
  if (!found) throw notFound('Integration');
  return found;
}

/** The program that answers the events of an integration; undefined for one that comes with Bindery, which has none. */
export function programOf(
  deps: { blobs: Blobs },
  { _id: name, organization = '', publication, version, format, script }: IntegrationDocument,
): Program | undefined {
  if (format === 'built-in' || script === undefined) return undefined;
  return {
    name,
    organization,
    version: `${publication}:${version}`,
    format,
    async script() {
      const text = await readFile(deps, script);
      if (!text) throw new Error(`the script of the integration ${name} is missing`);
      return text.toString();
    },
  };
}

/** The secrets that an integration was published with; nobody but its script sees them. */
export const decryptSecrets = (
  { secrets }: { secrets: Secrets },
  document: Pick<IntegrationDocument, 'secrets'>,
): Record<string, string> => JSON.parse(secrets.decrypt(document.secrets));
