import type { z } from 'zod';
import { invalid } from '../../../../shared/errors/errors.js';
import { pathText } from '../../../../shared/text/schema-messages.js';
import type { ConfigurationSchema, configurationPropertySchema } from '../../catalogue/resources.js';
import type { InstallationConfiguration, InstallationStatus } from '../resources.js';

type Property = z.output<typeof configurationPropertySchema>;
type Schema = ConfigurationSchema | undefined;

const propertiesOf = (schema: Schema): [string, Property][] =>
  schema && 'properties' in schema ? Object.entries(schema.properties) : [];

const ownValue = (configuration: InstallationConfiguration, name: string): unknown =>
  Object.hasOwn(configuration, name) ? configuration[name] : undefined;

/** A form that somebody left empty says nothing. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The problem with a value; undefined for a good one. A button is not checked: the integration stores its value, in a form of its own. */
function valueProblem(property: Property, value: unknown): string | undefined {
  if (!isGiven(value) || property.type === 'button') return undefined;
  if (typeof value !== property.type)
    return `must be ${property.type === 'boolean' ? 'true or false' : `a ${property.type}`}`;
  if (property.type !== 'string' || property.enum === undefined || property.enum.includes(value as string))
    return undefined;
  return property.enum.length > 20 ? 'must be one of its choices' : `must be one of ${property.enum.join(', ')}`;
}

/** Throws a 400 that names the declared property whose value has another type. Other properties are free. */
export function checkConfiguration(schema: Schema, configuration: InstallationConfiguration): void {
  for (const [name, property] of propertiesOf(schema)) {
    const problem = valueProblem(property, ownValue(configuration, name));
    if (problem !== undefined) throw invalid(`${pathText(['configuration', name])}: ${problem}`);
  }
}

/** `active` once a configuration has what its schema requires, or anything for a component that makes it. */
export function statusOf(schema: Schema, configuration: InstallationConfiguration): InstallationStatus {
  if (schema === undefined) return 'active';
  if ('componentId' in schema) return Object.keys(configuration).length > 0 ? 'active' : 'pending';
  const isComplete = (schema.required ?? []).every((name) => isGiven(ownValue(configuration, name)));
  const isValid = propertiesOf(schema).every(
    ([name, property]) => valueProblem(property, ownValue(configuration, name)) === undefined,
  );
  return isComplete && isValid ? 'active' : 'pending';
}

/** The configuration of what nobody configured. */
export function defaultsOfSchema(schema: Schema): InstallationConfiguration {
  const defaults = propertiesOf(schema).flatMap(([name, property]): [string, unknown][] =>
    property.type === 'button' || property.default === undefined ? [] : [[name, property.default]],
  );
  return Object.fromEntries(defaults);
}
