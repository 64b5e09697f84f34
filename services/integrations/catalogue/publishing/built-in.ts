import { again } from '../../../../shared/store/again.js';
import { write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import type { CatalogueDependencies } from '../dependencies.js';
import { type IntegrationDocument, integrations } from '../model.js';
import { type Manifest, storedDefinition } from './manifest.js';
import { replacementWrite } from './publish-version.js';

/** An integration that comes with Bindery; `version` grows with each change of what it declares. */
export interface BuiltIn
  extends Pick<Manifest, 'title' | 'description'>,
    Partial<Omit<Manifest, 'title' | 'description' | 'visibility'>> {
  name: string;
  version: number;
}

/** The same in all processes that seed it at once. */
export const builtInPublication = (name: string): string => `built-in-${name}`;

/**
 * Publishes the integrations that come with Bindery. Processes of several releases may do so at once: a version never goes back. A name that an
 * organization took before Bindery did stays with the organization.
 */
export async function seedBuiltIn(
  { store, secrets, log }: Pick<CatalogueDependencies, 'store' | 'secrets' | 'log'>,
  declared: readonly BuiltIn[],
): Promise<void> {
  for (const builtIn of declared)
    await again(
      async () => {
        const before = await store.get(integrations, builtIn.name);
        if (before?.organization !== undefined)
          return log.warn({ integration: builtIn.name }, 'an organization has published an integration with this name');
        if (before && before.version >= builtIn.version) return;
        const next = builtInDocument(builtIn, before, secrets.encrypt('{}'));
        await store.batch([before ? replacementWrite(before, next) : write.insert(integrations, next)]);
      },
      { duplicates: true },
    );
}

const unset = {
  target: 'all',
  scopes: [],
  categories: [],
  blocks: [],
  contentSources: [],
  externalLinks: [],
  configurations: {},
} satisfies Partial<Manifest>;

function builtInDocument(
  { name, version, ...manifest }: BuiltIn,
  before: IntegrationDocument | null,
  secrets: string,
): IntegrationDocument {
  const now = timestamp();
  return {
    ...storedDefinition(name, { ...unset, ...manifest, visibility: 'public' }),
    _id: name,
    publication: builtInPublication(name),
    version,
    verified: true,
    previewImages: [],
    format: 'built-in',
    secrets,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
}
