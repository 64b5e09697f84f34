import type { ConfigurationSchema } from '../../catalogue/resources.js';
import { checkWebhook } from '../../webhooks/check-configuration.js';
import type { InstallationConfiguration } from '../resources.js';
import { checkConfiguration } from './configuration.js';

interface Chosen {
  publication: string;
  schema: ConfigurationSchema | undefined;
  configuration: InstallationConfiguration;
}

/**
 * Throws 400 naming the first field that violates the integration's schema or, for built-in integrations, its own rules.
 */
export function checkChosen(
  deps: { allowCidrs: readonly string[] },
  { publication, schema, configuration }: Chosen,
): void {
  checkConfiguration(schema, configuration);
  checkWebhook(deps, { publication, configuration });
}
