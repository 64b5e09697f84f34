import type { z } from 'zod';
import type { ConfigurationSchema, configurationPropertySchema } from '../catalogue/resources.js';
import type { InstallationConfiguration } from '../installations/resources.js';

type Property = z.output<typeof configurationPropertySchema>;

/** Parts of names that make a value a secret, and words that do. */
const secretParts =
  /token|secret|passw|passphrase|passcode|credential|apikey|privatekey|accesskey|webhook|cookie|bearer/;
const secretWords = new Set(['key', 'keys', 'pwd', 'pin', 'pat', 'jwt', 'auth', 'authorization', 'dsn', 'signature']);

/** Whether a name or a title says that the value is a secret. */
function namesSecret(text: string): boolean {
  const words = text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return secretParts.test(words.join('')) || words.some((word) => secretWords.has(word));
}

/** A URL with a password in it. */
function hasCredentials(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username !== '' || password !== '';
}

/** Nothing declares a value a secret: an integration may keep one in whatever it names like one. One of the choices that it declares is none. */
function isKept(name: string, property: Property, value: unknown): boolean {
  if (property.type === 'button' || typeof value !== property.type) return false;
  if (property.type === 'boolean') return true;
  if (property.type === 'string' && property.enum) return property.enum.includes(value as string);
  return !namesSecret(name) && !namesSecret(property.title ?? '') && !hasCredentials(value);
}

/**
 * The part of a configuration that archives hold: values that the integration declares, of their type, which are no secrets. Scripts store credentials
 * under names that they do not declare.
 */
export function keptConfiguration(
  schema: ConfigurationSchema | undefined,
  configuration: InstallationConfiguration,
): InstallationConfiguration {
  if (!schema || !('properties' in schema)) return {};
  const { properties } = schema;
  const kept = Object.entries(configuration).filter(
    ([name, value]) => Object.hasOwn(properties, name) && isKept(name, properties[name] as Property, value),
  );
  return Object.fromEntries(kept);
}
