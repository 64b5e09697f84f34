import { type Collection, collection } from '../../shared/store/port.js';
import { outboxCollection } from '../../shared/work/outbox.js';
import type { Customization, CustomizationOverrides } from './customization-schema.js';
import type { FormerPath } from './former-paths.js';
import { publishingCollections } from './model-publishing.js';
import type { agentsContexts, siteTypes, visibilities } from './resources.js';
import type { Structure } from './structure.js';

export interface SiteDocument {
  _id: string;
  organization: string;
  type: (typeof siteTypes)[number];
  title: string;
  visibility: (typeof visibilities)[number];
  published: boolean;
  /** Its segment below the host name of the organization; unique there. */
  basename: string;
  /** A host name of its own; unique. */
  hostname?: string;
  proxy?: string;
  adaptiveContent: boolean;
  agentsContext: (typeof agentsContexts)[number];
  /** Of its structure document. */
  structureVersion: number;
  /** Site spaces. */
  siteSpaces: number;
  createdAt: string;
}

/** The structure of one site; `_id` is that of the site. Every change is made on the version that was read. */
export interface StructureDocument {
  _id: string;
  organization: string;
  version: number;
  structure: Structure;
  /** Ids of the spaces that it shows, each once. */
  spaces: string[];
  /** Where its parts were before. */
  former?: FormerPath[];
}

export interface SectionDocument {
  _id: string;
  site: string;
  title: string;
  description?: string;
  icon?: string;
  condition?: string;
}

export interface GroupDocument {
  _id: string;
  site: string;
  title: string;
  icon?: string;
}

export interface SiteSpaceDocument {
  _id: string;
  site: string;
  condition?: string;
  /** What it has otherwise than its site; with the two below it comes and goes. */
  customization?: CustomizationOverrides;
  customized?: true;
  customizationVersion?: number;
}

/** How a site looks, as it was last said; `_id` is that of the site. */
export interface CustomizationDocument {
  _id: string;
  settings: Customization;
}

/** Something that a renderer is still to be told: that what carries this tag is out of date. */
export interface PendingTag {
  _id: string;
  /** Its base URL. */
  renderer: string;
  tag: string;
}

export const sites = collection<SiteDocument>('sites_sites', [
  { on: { organization: 1, createdAt: 1 } },
  { on: { organization: 1, published: 1, createdAt: 1 } },
  { on: { organization: 1, basename: 1 }, unique: true },
  { on: { hostname: 1 }, unique: true, where: 'hostname' },
  { on: { proxy: 1 }, unique: true, where: 'proxy' },
  { kind: 'contains', name: 'title', fields: ['title'], within: ['organization'] },
]);
export const structures = collection<StructureDocument>('sites_structures', [
  { kind: 'multikey', array: 'spaces', within: ['organization'] },
]);
export const sections = collection<SectionDocument>('sites_sections', [{ on: { site: 1 } }]);
export const groups = collection<GroupDocument>('sites_groups', [{ on: { site: 1 } }]);
export const siteSpaces = collection<SiteSpaceDocument>('sites_site_spaces', [{ on: { site: 1, customized: 1 } }]);
export const customizations = collection<CustomizationDocument>('sites_customizations');

export const pendingTags = collection<PendingTag>('sites_pending_tags', [{ on: { renderer: 1 } }]);

const outboxEvents = outboxCollection('sites');

export const siteCollections = [
  sites,
  structures,
  sections,
  groups,
  siteSpaces,
  customizations,
  ...publishingCollections,
  pendingTags,
  outboxEvents,
] as Collection<never>[];
