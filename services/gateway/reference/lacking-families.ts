import type { PublicOperation } from '../api/public-api.js';

/** Operations of the public API that Bindery leaves out for one reason. */
export interface LackingFamily {
  name: string;
  /** A sentence. */
  reason: string;
  /** Whether an operation belongs to it, by its operationId and path. The first family that has it counts. */
  has: RegExp;
}

/** The families of what Bindery lacks, which the handbook explains; those without an operation that is lacking are not shown. */
export const lackingFamilies: LackingFamily[] = [
  { name: 'Advertisements', reason: 'Sites of Bindery show none.', has: /\/ads\b/ },
  { name: 'Billing', reason: 'Nothing is billed.', has: /\/billing\b/ },
  {
    name: 'Agents and their conversations',
    reason: 'They belong to the assistant of another app; programs change content over change requests instead.',
    has: /agent|change-requests\/.*\/conversations/i,
  },
  {
    name: 'Conversations of customers',
    reason: 'They are sorted by a language model.',
    has: /\/conversations\b|conversations-(?:clusters|issues)/,
  },
  {
    name: 'Findings, questions, topics and scans',
    reason:
      'They are what language models make of questions and content; insights count what visitors search for and what they do not find.',
    has: /findings?\b|question|\/answers\b|\/topics\b|\/scans\b/i,
  },
  {
    name: 'Channels and context connections',
    reason: 'They feed an assistant, and carry its answers elsewhere.',
    has: /\/channels\b|context-(?:connections|records)/,
  },
  { name: 'Style guides', reason: 'Texts are checked against them by a language model.', has: /styleguide/i },
  { name: 'Notifications of another app', reason: 'The app of Bindery has its own.', has: /\/notifications\// },
  { name: 'Others', reason: 'Not there yet.', has: /^/ },
];

/** The family of an operation that Bindery lacks. */
export const familyOf = ({ id, path }: PublicOperation): LackingFamily =>
  lackingFamilies.find(({ has }) => has.test(`${id} ${path}`)) as LackingFamily;
