import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  type ArchiveList,
  type ArchiveTaking,
  archiveList,
  type BlobOfFile,
  type DescribedFile,
} from '../../../shared/contract/archive.js';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { problemsOf, safeParse } from '../../../shared/text/schema-messages.js';
import { newId } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { CatalogueDependencies } from '../catalogue/dependencies.js';
import { type IntegrationDocument, integrations } from '../catalogue/model.js';
import { prefixBytes, storeFiles } from '../catalogue/publishing/files.js';
import { imageExtensions, readImage } from '../catalogue/publishing/images.js';
import {
  checkManifest,
  checkName,
  type Manifest,
  manifestSchema,
  storedDefinition,
} from '../catalogue/publishing/manifest.js';
import { integrationRuntimes, maxImageBytes, maxScriptLength } from '../catalogue/resources.js';
import { problemIn } from './problem-in.js';

type Dependencies = Pick<CatalogueDependencies, 'store' | 'secrets' | 'blobs' | 'jobs'>;

export const archivedId = z.string().min(1).max(100);

/** A manifest that could be published. */
const manifestFields = z.record(z.string(), z.unknown()).superRefine((manifest, context) => {
  const { success, data, error } = safeParse(manifestSchema, manifest);
  if (!success) {
    const [problem] = problemsOf(error.issues);
    context.addIssue({ code: 'custom', ...problem });
    return;
  }
  const message = isDeepStrictEqual(data, manifest)
    ? problemIn(() => checkManifest({ ...data, secrets: {} }))
    : 'has unknown fields, or lacks some';
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const integrationLine = z.strictObject({
  name: z.string().superRefine((name, context) => {
    const message = problemIn(() => checkName(name));
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
  publication: archivedId,
  version: z.number().int().min(1),
  runtime: z.enum(integrationRuntimes),
  manifest: manifestFields,
  icon: z.enum(imageExtensions).optional(),
  previewImages: z.array(z.enum(imageExtensions)).max(3),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
type Line = z.output<typeof integrationLine>;

const scriptPath = (name: string): string => `integrations/${name}/script.js`;
const iconPath = (name: string, extension: string): string => `integrations/${name}/icon.${extension}`;
const previewPath = (name: string, at: number, extension: string): string =>
  `integrations/${name}/preview-${at + 1}.${extension}`;

const describeManifest = (definition: IntegrationDocument) =>
  omitUndefined({
    title: definition.title,
    description: definition.description,
    summary: definition.summary,
    visibility: definition.visibility,
    target: definition.target,
    scopes: definition.scopes,
    categories: definition.categories,
    blocks: definition.blocks,
    contentSources: definition.contentSources,
    externalLinks: definition.externalLinks,
    configurations: definition.configurations,
    contentSecurityPolicy: definition.contentSecurityPolicy,
  });

/** An integration without its secrets, and without where its events go while somebody develops it. */
const describeIntegration = (integration: IntegrationDocument) =>
  omitUndefined({
    name: integration._id,
    publication: integration.publication,
    version: integration.version,
    runtime: integration.format,
    manifest: describeManifest(integration),
    icon: integration.icon?.extension,
    previewImages: integration.previewImages.map(({ extension }) => extension),
    createdAt: integration.createdAt,
    updatedAt: integration.updatedAt,
  });

const blobsOf = ({ _id: name, script, icon, previewImages }: IntegrationDocument): BlobOfFile[] =>
  [
    { path: scriptPath(name), blob: script as string },
    ...(icon ? [{ path: iconPath(name, icon.extension), blob: icon.blob }] : []),
    ...previewImages.map(({ blob, extension }, at) => ({ path: previewPath(name, at, extension), blob })),
  ].map((file) => ({ ...file, skip: prefixBytes }));

const scriptFile = (name: string): DescribedFile => ({
  field: 'name',
  path: scriptPath(name),
  maxBytes: 8 * 1024 * 1024,
  problemOf(content) {
    const script = problemIn(() => utf8.decode(content)) === undefined ? content.toString() : '';
    return script === '' || script.length > maxScriptLength
      ? `must be 1 to ${maxScriptLength} characters of UTF-8`
      : undefined;
  },
});
const utf8 = new TextDecoder('utf-8', { fatal: true });

const imageFile = (field: keyof typeof maxImageBytes, path: string): DescribedFile => ({
  field,
  path,
  maxBytes: maxImageBytes[field],
  problemOf: (content) => {
    const isNamedSo = () => path.endsWith(`.${readImage(content, field).extension}`);
    return problemIn(isNamedSo) ?? (isNamedSo() ? undefined : `${field}: must be of the form that its name says`);
  },
});

const filesOf = ({ name, icon, previewImages }: Line): DescribedFile[] => [
  scriptFile(name),
  ...(icon === undefined ? [] : [imageFile('icon', iconPath(name, icon))]),
  ...previewImages.map((extension, at) => imageFile('previewImages', previewPath(name, at, extension))),
];

/** The integration of a line, without files and secrets. */
const restoreIntegration = (
  { name, manifest, runtime, icon: _, ...line }: Line,
  organization: string,
): IntegrationDocument => ({
  ...storedDefinition(name, manifest as Manifest),
  ...line,
  _id: name,
  foldedName: name.toLowerCase(),
  organization,
  verified: false,
  previewImages: [],
  format: runtime,
  secrets: '',
});

/** Publishes an integration of an archive. Its script gets no secrets until it is published again. */
async function publishArchived(deps: Dependencies, line: Line, { organization, files }: ArchiveTaking): Promise<void> {
  const { name, icon, previewImages } = line;
  const contents = await Promise.all(filesOf(line).map(({ path }) => deps.blobs.read(files[path] ?? '')));
  if (contents.includes(null))
    throw new Error(`the files of the integration ${name} are gone; import the archive again`);
  const [script, ...images] = await storeFiles(deps, {
    job: newId(),
    integration: name,
    contents: contents as Buffer[],
  });
  const imageOf = (extension: string) => ({ blob: images.shift() as string, extension });
  await deps.store.insert(integrations, {
    ...restoreIntegration(line, organization),
    ...(script === undefined ? {} : { script }),
    ...(icon === undefined ? {} : { icon: imageOf(icon) }),
    previewImages: previewImages.map(imageOf),
    secrets: deps.secrets.encrypt('{}'),
  });
}

/** Definitions may take 1 MB each. */
const atOnce = 10;

const list = archiveList({
  file: 'integrations/integrations.ndjson',
  collection: integrations,
  readPage: ({ store }: Dependencies, organization, after) =>
    store.page(integrations, { filter: { organization }, sort: {}, limit: atOnce, after }),
  describe: describeIntegration,
  line: integrationLine,
  unique: ({ name, publication }) => [
    { field: 'name', value: name.toLowerCase() },
    { field: 'publication', value: publication },
  ],
  files: filesOf,
  blobs: blobsOf,
  restore: (line, { organization }) => restoreIntegration(line, organization),
});

/** The integrations that an organization has published. One whose name is taken here is left out: those of another organization are no stand-in. */
export const archivedIntegrations: ArchiveList<Dependencies> = {
  ...list,

  async take(deps, taking) {
    const leftOut: string[] = [];
    for (const line of taking.lines as Line[]) {
      const { name, publication } = line;
      const isHere = await deps.store.findOne(integrations, { publication });
      if (isHere) continue;
      if (await isNameTaken(deps, name)) leftOut.push(`${name} is left out: an integration has this name here`);
      else await publishArchived(deps, line, taking);
    }
    return leftOut;
  },

  /** A name may be another's here, a publication may not. */
  async findForeign({ store }, organization, lines) {
    const publications = (lines as Line[]).map(({ publication }) => publication);
    const filter = { publication: { $in: publications }, organization: { $ne: organization } };
    const { items } = await store.page(integrations, { filter, sort: {}, limit: 1, fields: ['publication'] });
    return items.map(({ publication }) => publication);
  },
};

async function isNameTaken({ store }: Pick<Dependencies, 'store'>, name: string): Promise<boolean> {
  const found =
    (await store.get(integrations, name, { fields: [] })) ??
    (await store.findOne(integrations, { foldedName: name.toLowerCase() }, { fields: [] }));
  return found !== null;
}
