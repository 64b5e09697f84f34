import { setTimeout as delay } from 'node:timers/promises';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { invalid } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { listPage } from '../../../../shared/lists/paging.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { again } from '../../../../shared/store/again.js';
import { checkBound } from '../../../../shared/store/bounds.js';
import { changesOf } from '../../../../shared/store/changes.js';
import { type HasStore, StoreDuplicate, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { checkWaitingJobs } from '../../core/storage/waiting-jobs.js';
import type { specOperations } from '../contract/specs.js';
import { specSlugSchema } from '../resources.js';
import { specChanged } from './dependents.js';
import { findSpec, specNotFound } from './find.js';
import { type CheckedSource, checkSource, detailsOf, storeSource } from './given-source.js';
import { processLater, removeLater } from './jobs.js';
import { type SpecDocument, specs } from './model.js';
import { presentSpec } from './present.js';

type Dependencies = HasStore &
  HasSecrets &
  HasOutbox &
  HasJobs &
  HasLedger & { baseUrl: string; allowCidrs: readonly string[] };
const auditType = 'openapi-spec';
const maxSpecs = 1000;
/** Jobs of one organization that have not ended. */
const maxWaiting = 1000;

/** Bytes of a text that is processed so soon that its request waits for that, and milliseconds that it waits. */
const quickText = 1024 * 1024;
const waitMs = scaleMs(2000);
const lookMs = 50;

export function specHandlers(deps: Dependencies): HandlersOf<typeof specOperations> {
  const { store, jobs, allowCidrs } = deps;
  return {
    listOpenAPISpecs: ({ path: { organizationId: organization }, query }, { access }) =>
      listPage(store, specs, { filter: { organization }, sort: { slug: 1 }, request: query }, (found) =>
        found.map((spec) => presentSpec(deps, spec, access.role)),
      ),

    async createOpenAPISpec({ path: { organizationId: organization }, body: { slug, source } }, context) {
      const given = await checkSource(source, allowCidrs);
      if (await store.findOne(specs, { organization, slug }, { fields: [] })) throw slugTakenError(slug);
      await checkWaitingJobs(jobs, organization, maxWaiting);
      const spec = await createSpec(deps, { organization, slug, given }, context).catch((error) => {
        throw error instanceof StoreDuplicate ? slugTakenError(slug) : error;
      });
      return presentSpec(deps, await afterAWhile(deps, spec, given), context.access.role);
    },

    getOpenAPISpecBySlug: async ({ path }, { access }) => presentSpec(deps, await findSpec(store, path), access.role),

    async createOrUpdateOpenAPISpecBySlug({ path, body }, context) {
      const { organizationId: organization, specSlug: slug } = path;
      checkSlug(slug);
      const given = await checkSource(body.source, allowCidrs);
      await checkWaitingJobs(jobs, organization, maxWaiting);
      const put = async () => {
        const known = await store.findOne(specs, { organization, slug });
        return known
          ? updateSource(deps, { known, given }, context)
          : createSpec(deps, { organization, slug, given }, context);
      };
      const spec = await again(put, { duplicates: true });
      return presentSpec(deps, await afterAWhile(deps, spec, given), context.access.role);
    },

    async updateOpenAPISpecBySlug({ path, body: { visibility } }, { access, audit }) {
      const spec = await findSpec(store, path);
      const changes = changesOf(spec, { visibility });
      if (!changes) return presentSpec(deps, spec, access.role);
      const { _id } = spec;
      const updatedAt = timestamp();
      await store.batch([
        write.update(specs, { _id }, { $set: { visibility, updatedAt } }, { expect: 1 }),
        audit(auditType, _id, { details: changes.details }),
      ]);
      return presentSpec(deps, { ...changes.after, updatedAt }, access.role);
    },

    async deleteOpenAPISpecBySlug({ path }, { audit }) {
      const spec = await findSpec(store, path);
      const { _id, slug } = spec;
      await store
        .batch([
          write.delete(specs, { _id }, { expect: 1 }),
          removeLater(jobs, spec),
          ...specChanged(deps, spec),
          audit(auditType, _id, { details: { slug } }),
        ])
        .catch(async (error) => {
          throw (await store.get(specs, _id, { fields: [] })) ? error : specNotFound();
        });
    },
  };
}

const slugTakenError = (slug: string) =>
  invalid(`slug: the organization has a specification "${slug}" already; use PUT to change it`, 'specification_exists');

function checkSlug(slug: string): void {
  const checked = specSlugSchema.safeParse(slug);
  if (!checked.success)
    throw invalid('specSlug: must be 1 to 100 lower-case letters and digits, with single hyphens inside');
}

interface New {
  organization: string;
  slug: string;
  given: CheckedSource;
}

async function createSpec(
  deps: Dependencies,
  { organization, slug, given }: New,
  { audit }: Pick<Context, 'audit'>,
): Promise<SpecDocument> {
  const { store, jobs } = deps;
  await checkBound(
    store,
    specs,
    { organization },
    { max: maxSpecs, what: 'OpenAPI specifications in an organization' },
  );
  const [_id, now] = [newId(), timestamp()];
  const { source, holds } = await storeSource(deps, given, { _id, organization });
  const spec: SpecDocument = {
    _id,
    organization,
    slug,
    visibility: 'private',
    source,
    check: newId(),
    processingState: 'pending',
    createdAt: now,
    updatedAt: now,
  };
  const details = { slug, ...detailsOf(given) };
  try {
    await store.batch([
      ...holds,
      write.insert(specs, spec),
      processLater(jobs, spec),
      ...specChanged(deps, spec),
      audit(auditType, _id, { details }),
    ]);
  } catch (error) {
    // Another request was first; nothing else knows of the text that is stored for this one.
    if (error instanceof StoreDuplicate) await store.batch([removeLater(jobs, spec)]);
    throw error;
  }
  return spec;
}

async function updateSource(
  deps: Dependencies,
  { known, given }: { known: SpecDocument; given: CheckedSource },
  { audit }: Pick<Context, 'audit'>,
): Promise<SpecDocument> {
  const { store, jobs } = deps;
  const { _id } = known;
  const { source, holds } = await storeSource(deps, given, known);
  const changed = { source, check: newId(), processingState: 'pending' as const, updatedAt: timestamp() };
  const spec = { ...known, ...changed };
  const writes = [
    ...holds,
    write.update(specs, { _id }, { $set: changed }, { expect: 1 }),
    processLater(jobs, spec),
    audit(auditType, _id, { details: detailsOf(given) }),
  ];
  await store.batch(writes).catch(async (error) => {
    // Deleted meanwhile, perhaps before its text was stored.
    if (!(await store.get(specs, _id, { fields: [] }))) await store.batch([removeLater(jobs, spec)]);
    throw error;
  });
  return spec;
}

/** The specification as it is when a short text is processed, or when that takes too long. */
async function afterAWhile({ store }: Dependencies, spec: SpecDocument, given: CheckedSource): Promise<SpecDocument> {
  if ('url' in given || given.text.length > quickText) return spec;
  for (const until = Date.now() + waitMs; Date.now() < until; ) {
    await delay(lookMs);
    const now = await store.get(specs, spec._id);
    if (!now) return spec;
    if (now.check !== spec.check || now.processingState === 'complete') return now;
  }
  return spec;
}
