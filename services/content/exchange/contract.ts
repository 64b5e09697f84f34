import { contentImportOperations } from './contract/content-imports.js';
import { copyOperations } from './contract/copies.js';
import { exportOperations } from './contract/git-exports.js';
import { importOperations } from './contract/git-imports.js';
import { hostListOperations, installationListOperations } from './contract/git-installation-lists.js';
import { installationOperations } from './contract/git-installations.js';
import { organizationExportOperations } from './contract/organization-exports.js';
import { templateOperations } from './contract/templates.js';

export * from './contract/git-hooks.js';

import { importRunOperations } from './contract/import-runs.js';

export * from './contract/pasted-text.js';
export { spaceTemplates } from './contract/templates.js';

export const exchangeOperations = {
  ...importOperations,
  ...exportOperations,
  ...installationOperations,
  ...installationListOperations,
  ...hostListOperations,
  ...contentImportOperations,
  ...copyOperations,
  ...templateOperations,
  ...importRunOperations,
  ...organizationExportOperations,
};
