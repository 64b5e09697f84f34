import { HeldBytes } from './held-bytes.js';

const newBytes = () => new HeldBytes({ ofOwner: 100, ofAll: 150 });

test('an owner holds so many bytes, over all its work, until they are released', () => {
  const bytes = newBytes();
  const [one, other] = [bytes.hold('a'), bytes.hold('a')];
  expect([one.add(60), other.add(41), other.add(40), one.add(1)]).toEqual([true, false, true, false]);
  one.release();
  expect([other.add(60), other.add(1)]).toEqual([true, false]);
});

test('all together are bounded, but one that holds less than an equal part still gets room', () => {
  const bytes = newBytes();
  const [a, b, c] = ['a', 'b', 'c'].map((owner) => bytes.hold(owner));
  expect([a?.add(100), b?.add(50)]).toEqual([true, true]);
  expect([a?.add(1), b?.add(26), b?.add(25)]).toEqual([false, false, true]);
  expect([c?.add(51), c?.add(50), c?.add(1)]).toEqual([false, true, false]);
  a?.release();
  expect(c?.add(25)).toBe(true);
});

test('what arrives after the release does not count, and a release counts once', () => {
  const bytes = newBytes();
  const late = bytes.hold('a');
  late.add(100);
  late.release();
  late.release();
  expect(late.add(1)).toBe(false);
  const next = bytes.hold('a');
  expect([next.add(100), next.add(1)]).toEqual([true, false]);
});
