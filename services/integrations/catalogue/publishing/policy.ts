import { invalid } from '../../../../shared/errors/errors.js';
import { policyText } from '../policy-text.js';
import type { ContentSecurityPolicy } from '../resources.js';

const field = 'contentSecurityPolicy';
/** Characters of a whole policy: it is one header. */
const maxPolicyLength = 8192;

/**
 * Reads the policy of a manifest, which may be written over several lines, with semicolons at their ends. Throws a 400 that names what no header
 * holds, and what is not the value of its directive.
 */
export function parsePolicy(policy: ContentSecurityPolicy): ContentSecurityPolicy {
  const read =
    typeof policy === 'string'
      ? splitDirectives(field, policy).join('; ')
      : Object.fromEntries(
          Object.entries(policy).map(([directive, value]) => [directive, parseValue(`${field}.${directive}`, value)]),
        );
  if (policyText(read).length > maxPolicyLength)
    throw invalid(`${field}: at most ${maxPolicyLength} characters altogether`);
  return read;
}

/** Characters that a header may hold, besides tabs. */
const printable = /^[\x20-\x7e]*$/;

/** The directives in a text, without the empty ones. */
function splitDirectives(place: string, text: string): string[] {
  const plain = text.replace(/[\t\n\f\r ]+/g, ' ');
  if (!printable.test(plain)) throw invalid(`${place}: must be printable ASCII`);
  return plain
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const otherDirective =
  /^([a-z]+-src(-elem|-attr)?|base-uri|block-all-mixed-content|form-action|frame-ancestors|navigate-to|plugin-types|referrer|report-(to|uri)|require-sri-for|require-trusted-types-for|sandbox|trusted-types|upgrade-insecure-requests)( |$)/i;

/** Authors end each source with a semicolon, too: these are sources of one directive, unless another directive follows. */
function parseValue(place: string, text: string): string {
  const parts = splitDirectives(place, text);
  if (text.includes(',') || parts.slice(1).some((part) => otherDirective.test(part)))
    throw invalid(`${place}: must not contain another directive or a comma`);
  return parts.join(' ');
}
