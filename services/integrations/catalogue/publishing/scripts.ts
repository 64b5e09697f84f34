import type { IntegrationDocument } from '../model.js';

/** The kind of the job that notifies sites of the scripts of another version; the room `installations` runs it. */
export const tellScriptsKind = 'tellScripts';

export interface ScriptsOfPublication {
  publication: string;
}

/** Whether an integration adds scripts to the pages of sites. */
export const addsScripts = ({ scopes }: Pick<IntegrationDocument, 'scopes'>): boolean =>
  scopes.includes('site:script:inject');
