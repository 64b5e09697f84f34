import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

/** A problem at one place of a value, in words for people. */
export interface Problem {
  path: PropertyKey[];
  message: string;
}

const types: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formats: Record<string, string> = {
  email: 'an e-mail address',
  url: 'a URL such as https://example.com',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
  ulid: 'an id of 26 letters and digits',
  datetime: 'a date and time in UTC such as 2026-01-31T12:00:00Z',
};

const units: Record<string, string> = { string: 'character', array: 'item' };

const maxNameLength = 100;
const shorten = (name: string) => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name);

const choiceText = (values: readonly unknown[]) => `${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;
const mustBe = (values: readonly unknown[], given: unknown) =>
  given === undefined ? `required (${choiceText(values)})` : `must be ${choiceText(values)}`;

function boundText(max: boolean, limit: number | bigint, origin: string): string {
  const least = max ? 'at most' : 'at least';
  const unit = units[origin];
  return unit ? `${least} ${limit} ${unit}${limit === 1 ? '' : 's'}` : `must be ${least} ${limit}`;
}

/** The message of an issue that zod finds. A schema's own message takes precedence. */
export function messageOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'required' : `must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return mustBe(issue.values, issue.input);
    case 'too_small':
      return boundText(false, issue.minimum, issue.origin);
    case 'too_big':
      return boundText(true, issue.maximum, issue.origin);
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? `of the form ${issue.pattern ?? issue.format}`}`;
    case 'unrecognized_keys':
      return `unknown field${issue.keys.length === 1 ? '' : 's'}: ${issue.keys.slice(0, 5).map(shorten).join(', ')}`;
    case 'invalid_union':
      return Array.isArray(issue.options)
        ? mustBe(issue.options, (issue.input as Record<string, unknown>)[String(issue.discriminator)])
        : 'has none of the allowed forms';
    case 'invalid_key':
      return `its name: ${issue.issues.map(({ message }) => message).join('; ')}`;
    default:
      return 'has an invalid value';
  }
}

/** Whether a value clearly has another form: another type, another constant, or a `type` of another kind. */
const isOfAnotherForm = (issue: Issue) =>
  (issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) ||
  (issue.code === 'invalid_value' && issue.values.length === 1) ||
  (issue.code === 'invalid_format' && issue.path.length === 1 && issue.path[0] === 'type');

/** The name of a place in messages, each part shortened. */
export const pathText = (path: PropertyKey[]): string => path.map((part) => shorten(String(part))).join('.');

const problemText = ({ path, message }: Problem) => (path.length === 0 ? message : `${pathText(path)}: ${message}`);
const isSame = (one: Problem) => (other: Problem) => problemText(one) === problemText(other);

/** The problems that all alternatives have in common, else all of them as a choice. */
function problemsOfEither(alternatives: Problem[][]): Problem[] {
  const [first = [], ...others] = alternatives;
  const common = first.filter((problem) => others.every((problems) => problems.some(isSame(problem))));
  if (common.length > 0) return common;
  const texts = alternatives.map((problems) => problems.map(problemText).join('; '));
  return [{ path: [], message: [...new Set(texts)].join(', or ') }];
}

/** For a value of none of the forms: what distinguishes them. */
function unlikeAll(forms: Issue[][]): Problem[] {
  const telling = forms.flatMap((issues) => issues.find(isOfAnotherForm) ?? []);
  const [{ path = [] } = {}] = telling;
  const constants = telling.flatMap((issue) =>
    issue.code === 'invalid_value' && issue.values.length === 1 ? issue : [],
  );
  const atOnePlace = telling.every((issue) => issue.path.join('.') === path.join('.'));
  const problems = telling.map((issue) => problemsOf([issue]));
  if (!atOnePlace) return problemsOfEither(problems);
  if (constants.length < telling.length)
    return [{ path, message: [...new Set(problems.flat().map(({ message }) => message))].join(', or ') }];
  const missing = constants.some(({ message }) => message.startsWith('required'));
  const values = [...new Set(constants.flatMap((issue) => issue.values))];
  return [{ path, message: mustBe(values, missing ? undefined : '') }];
}

/** For a value that may have one of several forms: its problems with the closest form. */
function problemsOfUnion(forms: Issue[][]): Problem[] {
  const likely = forms.filter((issues) => !issues.some(isOfAnotherForm));
  if (likely.length === 0) return unlikeAll(forms);
  const problemCount = Math.min(...likely.map(({ length }) => length));
  return problemsOfEither(likely.filter(({ length }) => length === problemCount).map(problemsOf));
}

/** Parses with our messages. Only a value that fails is parsed with the error map: zod is up to ten times slower with one. */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed : schema.safeParse(value, { error: messageOf });
}

/** The problems of a value that was checked with `messageOf`, at most one for each place. */
export function problemsOf(issues: readonly Issue[]): Problem[] {
  const problems = issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0)
      return [{ path: issue.path, message: issue.message }];
    return problemsOfUnion(issue.errors).map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
  });
  const places = new Set<string>();
  return problems.filter(({ path }) => places.size < places.add(pathText(path)).size);
}
