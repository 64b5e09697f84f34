import { z } from 'zod';
import { configSchema } from '../../shared/settings/config.js';

interface Setting {
  name: string;
  description: string;
  fallback: string | undefined;
}

function settings(): Setting[] {
  return Object.entries(configSchema.shape).map(([name, schema]) => {
    const { value } = (schema as z.ZodType).safeParse(undefined).success
      ? { value: (schema as z.ZodType).parse(undefined) }
      : { value: undefined };
    // Lists and headers are empty by default.
    const shown = typeof value === 'object' ? undefined : value;
    return {
      name,
      description: z.globalRegistry.get(schema)?.description ?? '',
      fallback: shown === undefined ? undefined : String(shown),
    };
  });
}

/** The handbook's table of settings, in Markdown. */
export function configTable(): string {
  const rows = settings().map(
    ({ name, description, fallback }) =>
      `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${description} |`,
  );
  return ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

/** The text of `.env.example`. */
export function envExample(): string {
  const entries = settings().map(({ name, description, fallback = '' }) => `# ${description}\n#${name}=${fallback}\n`);
  return [
    '# Settings of Bindery. All are optional; an invalid one stops the start with a message that names it.\n',
    ...entries,
  ].join('\n');
}
