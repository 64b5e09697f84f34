import type { ConfigurationSchema } from '../../catalogue/resources.js';
import { checkWebhook } from '../../webhooks/check-configuration.js';
import type { InstallationConfiguration } from '../resources.js';
import { checkConfiguration } from './configuration.js';

interface Chosen {
  publication: string;
  schema: ConfigurationSchema | undefined;
  configuration: InstallationConfiguration;
}

/** Throws a 400 that names what of a configuration does not fit what the integration declares, or what one that comes with Bindery needs. */
export function checkChosen(
  deps: { allowCidrs: readonly string[] },
  { publication, schema, configuration }: Chosen,
): void {
  checkConfiguration(schema, configuration);
  checkWebhook(deps, { publication, configuration });
}
