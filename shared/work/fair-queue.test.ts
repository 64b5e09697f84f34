import { FairQueue } from './fair-queue.js';

const anyone = () => true;

function all(queue: FairQueue<string>, may: (owner: string) => boolean = anyone): string[] {
  const taken: string[] = [];
  for (let item = queue.take(may); item !== undefined; item = queue.take(may)) taken.push(item);
  return taken;
}

test('owners take turns, however many items one of them has', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4']) queue.add({ owner: 'a' }, item);
  for (const item of ['b1', 'b2']) queue.add({ owner: 'b' }, item);
  expect(queue.take(anyone)).toBe('a1');
  queue.add({ owner: 'c' }, 'c1');
  expect(all(queue)).toEqual(['b1', 'a2', 'c1', 'b2', 'a3', 'a4']);
  expect(queue.sizeOf('a')).toBe(0);
});

test('the clients of an owner take turns within the turns of the owner', () => {
  const queue = new FairQueue<string>();
  for (const item of ['x1', 'x2', 'x3']) queue.add({ owner: 'a', client: 'x' }, item);
  queue.add({ owner: 'a', client: 'y' }, 'y1');
  queue.add({ owner: 'b' }, 'b1');
  expect(all(queue)).toEqual(['x1', 'b1', 'y1', 'x2', 'x3']);
});

test('an item that is taken out of turn is gone', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2']) queue.add({ owner: 'a' }, item);
  queue.add({ owner: 'b', client: 'x' }, 'b1');
  expect([queue.remove({ owner: 'b', client: 'x' }, 'b1'), queue.remove({ owner: 'b', client: 'x' }, 'b1')]).toEqual([
    true,
    false,
  ]);
  expect(queue.remove({ owner: 'a' }, 'a1')).toBe(true);
  expect(all(queue)).toEqual(['a2']);
});

test('an owner that may not have a turn keeps its place', () => {
  const queue = new FairQueue<string>();
  queue.add({ owner: 'a' }, 'a1');
  queue.add({ owner: 'b' }, 'b1');
  expect(all(queue, (owner) => owner !== 'a')).toEqual(['b1']);
  expect([queue.sizeOf('a'), queue.sizeOf('b')]).toEqual([1, 0]);
  queue.add({ owner: 'b' }, 'b2');
  expect(all(queue)).toEqual(['a1', 'b2']);
});

test('a client that may not have a turn keeps its place, and leaves the turn to others of its owner', () => {
  const queue = new FairQueue<string>();
  for (const client of ['x', 'y']) queue.add({ owner: 'a', client }, `${client}1`);
  queue.add({ owner: 'b', client: 'x' }, 'x2');
  const may = (client: string, owner: string) => owner === 'b' || client !== 'x';
  const taken = [1, 2, 3].map(() => queue.take(anyone, may));
  expect(taken).toEqual(['y1', 'x2', undefined]);
  expect([queue.clientsOf('a'), queue.clientsOf('b'), queue.sizeOf('a', 'x'), queue.sizeOf('a', 'y')]).toEqual([
    ['x'],
    [],
    1,
    0,
  ]);
  expect(all(queue)).toEqual(['x1']);
});

test('the busiest client of an owner gives way to another, but not to one that waits as much', () => {
  const queue = new FairQueue<string>();
  for (const item of ['x1', 'x2', 'x3']) queue.add({ owner: 'a', client: 'x' }, item);
  for (const item of ['z1', 'z2', 'z3', 'z4']) queue.add({ owner: 'b', client: 'z' }, item);
  expect(queue.makeRoom({ owner: 'a', client: 'x' })).toBeUndefined();
  expect(queue.makeRoom({ owner: 'a', client: 'y' })).toBe('x3');
  queue.add({ owner: 'a', client: 'y' }, 'y1');
  expect(queue.makeRoom({ owner: 'a', client: 'y' })).toBeUndefined();
  expect(queue.makeRoom({ owner: 'c', client: 'z' })).toBeUndefined();
  expect(all(queue)).toEqual(['x1', 'z1', 'y1', 'z2', 'x2', 'z3', 'z4']);
});
