import { type Caller, membershipOf, tokenRefusalOf } from '../../../../shared/contract/caller.js';
import type { Context } from '../../../../shared/contract/service.js';
import { apiError, conflict, forbidden, invalid, notFound } from '../../../../shared/errors/errors.js';
import { again } from '../../../../shared/store/again.js';
import { checkBound } from '../../../../shared/store/bounds.js';
import { eachDocument, type Update, type Write, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { findOrganization } from '../../../identity/contract.js';
import { integrationChanged } from '../../../sites/events.js';
import { RuntimeFailure } from '../../runtime/runtime.js';
import { mayPublish } from '../access.js';
import type { CatalogueDependencies } from '../dependencies.js';
import { type IntegrationDocument, integrations } from '../model.js';
import { removeFilesLater, storeFiles, versionBlobs } from './files.js';
import { type Image, readImage } from './images.js';
import { type PublishBody, storedDefinition } from './manifest.js';
import { addsScripts, type ScriptsOfPublication, tellScriptsKind } from './scripts.js';

/** Fields that a version may lack although the one before has them. */
const optional = ['summary', 'icon', 'contentSecurityPolicy'] as const satisfies (keyof IntegrationDocument)[];
const maxOfOrganization = 500;
const maxReasonLength = 500;

/**
 * The id of the organization that a caller publishes for, named by its id or its host name. Throws 404 when there is none that the caller
 * belongs to, 403 for a role that may not publish.
 */
export async function checkPublisher(
  named: string,
  { call, caller }: Pick<Context, 'call' | 'caller'>,
): Promise<string> {
  const found = (await call(findOrganization, { id: named })) ?? (await call(findOrganization, { hostname: named }));
  if (!found) throw notFound('Organization');
  const refused = tokenRefusalOf(caller, found.id);
  if (refused !== undefined) throw forbidden(refused, 'single_sign_on_required');
  const membership = membershipOf(caller, found.id);
  if (!membership) throw notFound('Organization');
  if (!mayPublish(membership.role))
    throw forbidden('You need the role "create" in this organization to publish for it', 'missing_right');
  return found.id;
}

/** Throws 403 for a name that is not the organization's. */
export function checkIsOwn(before: IntegrationDocument | null, organization: string): void {
  if (before && before.organization !== organization)
    throw forbidden('Another organization uses this name; choose another one', 'name_reserved');
}

export interface Images {
  icon?: Image;
  previewImages: Image[];
}

/** Throws a 400 that names the image which is none. */
export const readImages = ({ icon, previewImages = [] }: PublishBody): Images => ({
  ...(icon === undefined ? {} : { icon: readImage(Buffer.from(icon, 'base64'), 'icon') }),
  previewImages: previewImages.map((image, at) => readImage(Buffer.from(image, 'base64'), `previewImages.${at}`)),
});

/** Throws a 400 for a script that does not start, and 503 where that cannot be tried now. A machine without a runtime stops nobody from publishing. */
export async function checkStarts(
  { runtime, log }: Pick<CatalogueDependencies, 'runtime' | 'log'>,
  { name, organization, body: { script, runtime: format } }: Omit<Publication, 'images'>,
): Promise<void> {
  try {
    await runtime.check({ name, organization, version: newId(), format, script: async () => script });
  } catch (err) {
    if (err instanceof RuntimeFailure && err.reason === 'start')
      throw invalid(`script: does not start: ${err.message.slice(0, maxReasonLength)}`);
    if (err instanceof RuntimeFailure && (err.reason === 'busy' || err.reason === 'stopped'))
      throw apiError('UNAVAILABLE', 'Scripts cannot be tried at present; publish it again', 'busy');
    log.warn({ err, integration: name }, 'a script could not be tried before it was published');
  }
}

export interface Publication {
  name: string;
  organization: string;
  body: PublishBody;
  images: Images;
}

type Dependencies = Pick<CatalogueDependencies, 'store' | 'blobs' | 'jobs' | 'secrets' | 'outbox' | 'administering'>;

/** Stores a new version, the first one for a new name. Whoever publishes at the same time gets another version. */
export async function publishVersion(
  deps: Dependencies,
  published: Publication,
  { audit, caller }: Pick<Context, 'audit' | 'caller'>,
): Promise<IntegrationDocument> {
  const { store, jobs } = deps;
  const { name, organization } = published;
  const job = newId();
  const version = await storedVersion(deps, published, job);
  const made = await again(
    async () => {
      const before = await store.get(integrations, name);
      checkIsOwn(before, organization);
      if (!before) {
        await checkDiffers(deps, name);
        await checkRoom(deps, organization);
      }
      const next = nextDocument(before, { ...version, _id: name, organization });
      await store.batch([
        ...(before
          ? [await checkAdministers(deps, caller, { before, next }), ...successionWrites(deps, before, next)]
          : [write.insert(integrations, next)]),
        audit('integration', name, { organization, details: detailsOf(next) }),
      ]);
      return next;
    },
    { duplicates: true },
  );
  await jobs.removeQueued(job);
  return made;
}

/** Throws 409 where an integration has this name in other letters: people would take one for the other. */
async function checkDiffers({ store }: Dependencies, name: string): Promise<void> {
  const folded = name.toLowerCase();
  const alike = { $contains: { index: 'searched', text: name } };
  for await (const { _id } of eachDocument(store, integrations, alike, []))
    if (_id.toLowerCase() === folded)
      throw conflict('An integration has this name, but for upper and lower case; choose another one', 'taken');
}

/**
 * Throws 403 where an integration covers, with what either version declares, more than the caller administers: the script acts there with the token
 * of the installation. Answers the condition that this stays so.
 */
async function checkAdministers(
  { administering }: Dependencies,
  caller: Caller,
  { before, next }: { before: IntegrationDocument; next: IntegrationDocument },
): Promise<Write> {
  const held = await administering(caller, { ...before, scopes: [...before.scopes, ...next.scopes] });
  if (!held)
    throw forbidden(
      'You need to administer every space and site that this integration is installed on to publish it',
      'missing_right',
    );
  return held;
}

const checkRoom = ({ store }: Dependencies, organization: string) =>
  checkBound(
    store,
    integrations,
    { organization },
    { max: maxOfOrganization, what: 'integrations in an organization' },
  );

type Version = Omit<
  IntegrationDocument,
  '_id' | 'publication' | 'organization' | 'version' | 'verified' | 'dev' | 'createdAt' | 'updatedAt'
>;

/** Stores the files of a version, and returns the fields that each version has of its own. */
async function storedVersion(deps: Dependencies, { name, body, images }: Publication, job: string): Promise<Version> {
  const { icon, previewImages } = images;
  const contents = [
    Buffer.from(body.script),
    ...[...(icon ? [icon] : []), ...previewImages].map((each) => each.content),
  ];
  const [script = '', ...blobs] = await storeFiles(deps, { job, integration: name, contents });
  const storedImageOf = ({ extension }: Image) => ({ blob: blobs.shift() as string, extension });
  return {
    ...storedDefinition(name, body),
    format: body.runtime,
    script,
    ...(icon ? { icon: storedImageOf(icon) } : {}),
    previewImages: previewImages.map(storedImageOf),
    secrets: deps.secrets.encrypt(JSON.stringify(body.secrets)),
  };
}

function nextDocument(
  before: IntegrationDocument | null,
  version: Version & { _id: string; organization: string },
): IntegrationDocument {
  const now = timestamp();
  return {
    ...version,
    ...(before ? {} : { foldedName: version._id.toLowerCase() }),
    publication: before?.publication ?? newId(),
    version: (before?.version ?? 0) + 1,
    verified: before?.verified ?? false,
    ...(before?.dev ? { dev: before.dev } : {}),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
}

/** The writes that replace one version by the next, have the files of the former removed, and announce the new one. */
const successionWrites = (deps: Dependencies, before: IntegrationDocument, next: IntegrationDocument): Write[] => [
  replacementWrite(before, next),
  removeFilesLater(deps, { id: newId(), integration: before._id, blobs: versionBlobs(before) }),
  deps.outbox.add(integrationChanged, { integration: before._id }),
  ...(addsScripts(before) || addsScripts(next)
    ? [deps.jobs.enqueue<ScriptsOfPublication>(tellScriptsKind, { publication: before.publication })]
    : []),
];

/** The write that makes one version of the other. */
export function replacementWrite(before: IntegrationDocument, next: IntegrationDocument): Write {
  const { _id, publication, dev: _, ...$set } = next;
  const cleared = optional.filter((field) => before[field] !== undefined && next[field] === undefined);
  const update: Update<IntegrationDocument> = {
    $set,
    ...(cleared.length > 0 ? { $unset: Object.fromEntries(cleared.map((field) => [field, true])) } : {}),
  };
  return write.update(integrations, { _id, publication, version: before.version }, update, { expect: 1 });
}

const detailsOf = ({ version, title, visibility, target, scopes }: IntegrationDocument) => ({
  version,
  title,
  visibility,
  target,
  scopes,
});
