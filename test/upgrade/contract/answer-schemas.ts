import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Contract } from './declared.js';

/** The schemas of the answers that a release declares. */
export function answerSchemas({ operations }: Contract) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  const validators = new Map<string, ValidateFunction>();
  return {
    /** What is wrong with an answer, a line a complaint. */
    mismatches(operation: string, body: unknown): string[] {
      const schema = operations[operation]?.response;
      if (!schema) return [];
      const validate = validators.get(operation) ?? ajv.compile(schema);
      validators.set(operation, validate);
      if (validate(body)) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) => `${operation}: ${instancePath} ${message}`);
    },
  };
}
