import { readdirSync } from 'node:fs';
import { metricsRegistry } from '../../../shared/monitoring/metrics.js';
import { packageFile } from '../../../shared/process/package-root.js';
import { services, textOf, yamlOf } from './files.js';

interface Rules {
  spec: { groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[] };
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}
const alerts = yamlOf<Rules>('k8s/monitoring/alerts.yaml').spec.groups.flatMap(({ rules }) => rules);
const { panels } = JSON.parse(textOf('k8s/monitoring/dashboard.json')) as Dashboard;
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ from: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ from: title, expr }))),
];

const sources = ['services', 'shared'].flatMap((folder) =>
  readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => textOf(`${folder}/${path}`)),
);
/** Metrics by the names in the code: those of Bindery, whose names may have a part put in, and those of Node.js. */
const metrics = [
  ...sources.flatMap((text) => text.match(/(?<=['`])bindery_[\w${}]+(?=['`])/g) ?? []),
  ...metricsRegistry.getMetricsAsArray().map(({ name }) => name),
  'up',
].map((name) => new RegExp(`^${name.replace(/\$\{\w+\}/g, '\\w+')}(_bucket|_count|_sum)?$`));

/** The names of metrics in an expression of Prometheus, which all have an underscore or are `up`. */
const namesIn = (expr: string) =>
  expr
    .replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|without) ?\([^)]*\)/g, '')
    .match(/\b\w+\b(?!\()/g)
    ?.filter((word) => word === 'up' || word.includes('_')) ?? [];

describe('alerts and dashboard', () => {
  it('are made of metrics that exist', () => {
    const named = expressions.flatMap(({ from, expr }) => namesIn(expr).map((name) => ({ from, name })));
    expect(named.length).toBeGreaterThanOrEqual(expressions.length);
    expect(named.filter(({ name }) => !metrics.some((metric) => metric.test(name)))).toEqual([]);
  });

  it('count the services that there are', () => {
    const missing = alerts.find(({ alert }) => alert === 'BinderyServiceMissing');
    expect(missing?.expr).toMatch(new RegExp(`< ${services.length}$`));
  });

  it('are described in the handbook', () => {
    const page = textOf('docs/operations/health.md');
    expect(alerts.filter(({ alert }) => !page.includes(`\`${alert}\``))).toEqual([]);
  });
});
