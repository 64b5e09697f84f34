import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { packageFile } from '../../shared/process/package-root.js';
import { textOf, yamlOf } from '../house/deploy/files.js';

interface Rules {
  spec: { groups: { rules: { alert: string }[] }[] };
}
const { spec } = yamlOf<Rules>('k8s/monitoring/alerts.yaml');
const folder = mkdtempSync(join(tmpdir(), 'bindery-alerts-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('alerts fire when they should, and stay silent while all is well', () => {
  writeFileSync(join(folder, 'rules.yaml'), stringify(spec));
  copyFileSync(packageFile('test/deploy/alerts.yaml'), join(folder, 'tests.yaml'));
  const promtool = (...args: string[]) =>
    execFileSync('promtool', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  const count = spec.groups.flatMap(({ rules }) => rules).length;
  expect(promtool('check', 'rules', 'rules.yaml')).toContain(`SUCCESS: ${count} rules found`);
  expect(promtool('test', 'rules', 'tests.yaml')).toContain('SUCCESS');
});

it('every alert has a test in which it fires', () => {
  const tests = textOf('test/deploy/alerts.yaml');
  const alerts = spec.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect(alerts.filter((alert) => !tests.includes(`ALERTS{alertname="${alert}"`))).toEqual([]);
});
