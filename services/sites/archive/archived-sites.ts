import type { z } from 'zod';
import { type ArchiveList, archiveList, type UniqueValue } from '../../../shared/contract/archive.js';
import type { HasSecrets, Secrets } from '../../../shared/secrets/secrets.js';
import type { Filter, HasStore } from '../../../shared/store/port.js';
import { newSecret } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { claimDomains } from '../../identity/contract.js';
import { type CustomizationDocument, customizations } from '../customization/model.js';
import { type McpServerDocument, mcpServers } from '../mcp-servers/model.js';
import { type PublishingDocument, publishing, type ShareLinkDocument, shareLinks } from '../publishing/model.js';
import { makeShareKey } from '../publishing/share-keys.js';
import { type RedirectDocument, redirects } from '../redirects/model.js';
import { sourceKey } from '../redirects/redirect-keys.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { type SiteGrantDocument, siteGrantId, siteGrants } from '../site/grants.js';
import { domainsOf, proxyHost, type SiteDocument, sites } from '../site/model.js';
import { fromStored, groups, links, sections, structures } from '../structure/model.js';
import { siteSpacesOf } from '../structure/structure.js';
import { blobsOfLine, filesOfLine, type HasSiteFiles, withAddresses, withFileNames } from './archived-files.js';
import {
  authenticationLine,
  customizationLine,
  groupLine,
  linkLine,
  mcpServerLine,
  redirectLine,
  sectionLine,
  shareLinkLine,
  siteGrantLine,
  siteLine,
} from './archived-lines.js';
import {
  archiveCallMs,
  archivedSiteSpaces,
  archivedStructures,
  groupsFile,
  type HasArchiveCall,
  linksFile,
  nameSite,
  partName,
  sectionsFile,
  sitesFile,
} from './archived-structures.js';
import { readBySite, readOfSites } from './read-by-site.js';

type Dependencies = HasArchiveCall & HasDomainOwners & HasSecrets & HasSiteFiles;

/** The line of a document of a site: its fields, in this order. */
const describeFields =
  <D extends { _id: string; site: string }>(fields: (keyof D & string)[]) =>
  (document: D) =>
    omitUndefined({
      id: document._id,
      site: document.site,
      ...Object.fromEntries(fields.map((field) => [field, document[field]])),
    });

/** The document of a line with an `id`. */
const restoreFields = <L extends { id: string }>({ id: _id, ...line }: L) => ({ ...omitUndefined(line), _id });

const describeSite = ({ _id: id, ...site }: SiteDocument) =>
  omitUndefined({
    id,
    type: site.type,
    title: site.title,
    visibility: site.visibility,
    published: site.published,
    basename: site.basename,
    hostname: site.hostname,
    proxy: site.proxy,
    adaptiveContent: site.adaptiveContent,
    agentsContext: site.agentsContext,
    createdAt: site.createdAt,
  });

const restoreSite = (line: z.output<typeof siteLine>, organization: string): SiteDocument => ({
  ...restoreFields(line),
  organization,
  structureVersion: 1,
  siteSpaces: 0,
});

const namesOfSite = ({ basename, hostname, proxy }: Pick<SiteDocument, 'basename' | 'hostname' | 'proxy'>) =>
  Object.entries({ basename, hostname, proxy }).flatMap(([field, value]): UniqueValue[] =>
    value === undefined ? [] : [{ field, value }],
  );

/** Counts the site spaces, and has the domains looked up that the sites ask for. */
async function completeSites(
  { store, domainOwners, callAsSystem }: HasStore & Dependencies,
  added: SiteDocument[],
): Promise<SiteDocument[]> {
  const ids = added.map(({ _id }) => _id);
  const found = await store.getMany(structures, ids);
  const counts = new Map(found.map((each) => [each._id, siteSpacesOf(fromStored(each)).length]));
  const [first] = added;
  const domains = [...new Set(added.flatMap(domainsOf))].filter((domain) => !domainOwners.isShared(domain));
  if (first && domains.length > 0)
    await callAsSystem(archiveCallMs)(claimDomains, { organization: first.organization, domains });
  return added.map((site) => ({ ...site, siteSpaces: counts.get(site._id) ?? 0 }));
}

type Line = z.output<typeof siteLine>;

/** The host names and proxies at which sites of other organizations are, whose domains count for those. */
async function findTakenNames(
  { store, domainOwners, callAsSystem }: HasStore & Dependencies,
  organization: string,
  lines: Line[],
): Promise<string[]> {
  const wanted = lines.flatMap(({ hostname, proxy }): { domain: string; name: string; at: Filter<SiteDocument> }[] => [
    ...(hostname === undefined ? [] : [{ domain: hostname, name: hostname, at: { hostname } }]),
    ...(proxy === undefined ? [] : [{ domain: proxyHost(proxy), name: proxy, at: { proxy } }]),
  ]);
  const domains = [...new Set(wanted.map(({ domain }) => domain))];
  const owners = await domainOwners.ofAll(callAsSystem(archiveCallMs), domains);
  const taken: string[] = [];
  for (const { domain, name, at } of wanted) {
    const others = (owners.get(domain) ?? []).filter((owner) => owner !== organization);
    if (others.length > 0 && (await store.findOne(sites, { ...at, organization: { $in: others } }))) taken.push(name);
  }
  return taken;
}

const archivedSections = archiveList({
  file: sectionsFile,
  collection: sections,
  readPage: readBySite(sections),
  owner: 'site',
  describe: describeFields(['title', 'localizedTitle', 'description', 'localizedDescription', 'icon', 'condition']),
  line: sectionLine,
  names: nameSite,
  nameOf: partName,
  restore: restoreFields,
});

const archivedGroups = archiveList({
  file: groupsFile,
  collection: groups,
  readPage: readBySite(groups),
  owner: 'site',
  describe: describeFields(['title', 'localizedTitle', 'icon']),
  line: groupLine,
  names: nameSite,
  nameOf: partName,
  restore: restoreFields,
});

const archivedLinks = archiveList({
  file: linksFile,
  collection: links,
  readPage: readBySite(links),
  owner: 'site',
  describe: describeFields([
    'title',
    'localizedTitle',
    'description',
    'localizedDescription',
    'icon',
    'url',
    'draft',
    'condition',
  ]),
  line: linkLine,
  names: nameSite,
  nameOf: partName,
  restore: restoreFields,
});

const archivedCustomizations = archiveList({
  file: 'sites/customizations.ndjson',
  collection: customizations,
  readPage: readOfSites(customizations),
  describe: async ({ _id: site, settings }, deps: HasStore & HasSiteFiles) => ({
    site,
    ...(await withFileNames(deps, settings)),
  }),
  line: customizationLine,
  names: nameSite,
  files: filesOfLine,
  blobs: blobsOfLine,
  restore: ({ site: _id, settings }) => ({ _id, settings }) as unknown as CustomizationDocument,
  complete: (deps: HasStore & HasSiteFiles, added, { files }) =>
    Promise.all(added.map(async (each) => ({ ...each, settings: await withAddresses(deps, each.settings, files) }))),
});

/** How visitors are identified. Their JWT are signed with a new key after an import. */
const archivedAuthentication = archiveList({
  file: 'sites/authentication.ndjson',
  collection: publishing,
  readPage: readOfSites(publishing),
  describe: ({ _id: site, ...known }: PublishingDocument) =>
    omitUndefined({
      site,
      backend: known.backend,
      integration: known.integration,
      fallbackURL: known.fallbackURL,
      schema: known.schema,
      schemaUpdatedAt: known.schemaUpdatedAt,
    }),
  line: authenticationLine,
  names: nameSite,
  restore: ({ site: _id, ...line }): PublishingDocument => ({ ...omitUndefined(line), _id, sealed: '' }),
  complete: async ({ secrets }: HasStore & Dependencies, added) =>
    added.map((each) => ({ ...each, sealed: secrets.encrypt(newSecret()) })),
});

/** Share links without their keys: each has a new one after an import. */
const archivedShareLinks = archiveList({
  file: 'sites/share-links.ndjson',
  collection: shareLinks,
  readPage: readBySite(shareLinks),
  owner: 'site',
  describe: describeFields<ShareLinkDocument>(['name', 'active', 'createdAt']),
  line: shareLinkLine,
  names: nameSite,
  restore: (line): ShareLinkDocument => ({ ...restoreFields(line), hash: '', sealed: '' }),
  complete: async ({ secrets }: HasStore & Dependencies, added) =>
    added.map((link) => ({ ...link, ...makeShareKey(secrets) })),
});

const archivedRedirects = archiveList({
  file: 'sites/redirects.ndjson',
  collection: redirects,
  readPage: readBySite(redirects),
  owner: 'site',
  describe: describeFields<RedirectDocument>([
    'source',
    'destination',
    'draft',
    'captureWildcard',
    'permanent',
    'createdAt',
    'updatedAt',
  ]),
  line: redirectLine,
  names: nameSite,
  unique: ({ site, source, draft }) => [{ field: 'source', value: `${site}/${sourceKey(source, draft)}` }],
  restore: (line): RedirectDocument => ({ ...restoreFields(line), key: sourceKey(line.source, line.draft) }),
});

/** MCP servers with the names of their headers; the values are secrets. */
const archivedMcpServers = archiveList({
  file: 'sites/mcp-servers.ndjson',
  collection: mcpServers,
  readPage: readBySite(mcpServers),
  owner: 'site',
  describe: ({ _id: id, site, name, url, transport, condition, headerNames, createdAt }: McpServerDocument) =>
    omitUndefined({ id, site, name, url, transport, condition, headers: headerNames, createdAt }),
  line: mcpServerLine,
  names: nameSite,
  restore: ({ headers: headerNames, ...line }): McpServerDocument => ({
    ...restoreFields(line),
    headerNames,
    sealed: '',
  }),
  complete: async ({ secrets }: HasStore & Dependencies, added) =>
    added.map((server) => ({ ...server, sealed: sealNothing(secrets) })),
});

const sealNothing = (secrets: Secrets): string => secrets.encrypt('{}');

const restoreGrant = (
  { site, user, team, role, createdAt }: z.output<typeof siteGrantLine>,
  organization: string,
): SiteGrantDocument => {
  const granted = { site, principal: user === undefined ? ('team' as const) : ('user' as const) };
  const id = (user ?? team) as string;
  return { _id: siteGrantId({ ...granted, id }), organization, ...granted, id, role, createdAt };
};

const archivedGrants = archiveList({
  file: 'sites/grants.ndjson',
  collection: siteGrants,
  describe: ({ site, principal, id, role, createdAt }) => ({ site, [principal]: id, role, createdAt }),
  line: siteGrantLine,
  names: nameSite,
  restore: (line, { organization }) => restoreGrant(line, organization),
});

/** The sites themselves, at their addresses: last, as nobody is to find one that is not whole. */
const archivedSites = archiveList({
  file: sitesFile,
  collection: sites,
  describe: describeSite,
  line: siteLine,
  unique: namesOfSite,
  findTaken: findTakenNames,
  restore: (line, { organization }) => restoreSite(line, organization),
  complete: completeSites,
});

/** The files of an archive that hold the sites of an organization, without secrets. */
export const siteLists: readonly ArchiveList<Dependencies>[] = [
  archivedStructures,
  archivedSections,
  archivedGroups,
  archivedLinks,
  archivedSiteSpaces,
  archivedCustomizations,
  archivedAuthentication,
  archivedShareLinks,
  archivedRedirects,
  archivedMcpServers,
  archivedGrants,
  archivedSites,
];
