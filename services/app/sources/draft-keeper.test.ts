import { DraftKeeper, type KeepAnswer, type KeepingState } from './draft-keeper.js';

/** A keeper whose time and server the test moves. */
function opened(version?: string) {
  let now = 0;
  let plans: { at: number; act: () => void }[] = [];
  const states: KeepingState[] = [];
  const sent: [markdown: string, version: string | undefined][] = [];
  const answers: ((answer: KeepAnswer) => void)[] = [];
  let text = '';
  const keeper = new DraftKeeper(
    {
      read: () => text,
      send(markdown, version) {
        sent.push([markdown, version]);
        return new Promise((answer) => answers.push(answer));
      },
      later(act, ms) {
        const plan = { at: now + ms, act };
        plans.push(plan);
        return () => {
          plans = plans.filter((each) => each !== plan);
        };
      },
      show: (state) => states.push(state),
    },
    version,
  );
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return {
    keeper,
    sent,
    get state() {
      return states.at(-1);
    },
    /** How often it said that another window kept another text. */
    conflicts: () => states.filter(({ kind }) => kind === 'conflict').length,
    type(typed: string) {
      text = typed;
      keeper.changed();
    },
    async pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = plans.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        now = next.at;
        plans = plans.filter((each) => each !== next);
        next.act();
        await settle();
      }
      now = end;
    },
    async answer(answer: KeepAnswer) {
      answers.shift()?.(answer);
      await settle();
    },
  };
}

const kept = (version: string): KeepAnswer => ({ kind: 'kept', version, savedAt: `at ${version}` });
const unreached: KeepAnswer = { kind: 'unreached' };

it('keeps a text after a second of rest, and says so when the server has answered', async () => {
  const it = opened();
  it.type('a');
  await it.pass(999);
  it.type('ab');
  expect([it.state, it.keeper.isUnsaved]).toEqual([{ kind: 'changed' }, true]);
  await it.pass(999);
  expect(it.sent).toEqual([]);
  await it.pass(1);
  expect([it.sent, it.state]).toEqual([[['ab', undefined]], { kind: 'keeping' }]);
  await it.answer(kept('1'));
  expect([it.state, it.keeper.isUnsaved]).toEqual([{ kind: 'kept', savedAt: 'at 1' }, false]);
  await it.pass(60_000);
  expect(it.sent).toHaveLength(1);
});

it('keeps a text every five seconds while somebody types on', async () => {
  const it = opened('0');
  for (let at = 1; at <= 24; at++) {
    it.type('x'.repeat(at));
    await it.pass(500);
    if (it.sent.length > 0 && it.state?.kind === 'keeping') await it.answer(kept(String(at)));
  }
  expect(it.sent.map(([text]) => text.length)).toEqual([10, 20]);
  await it.pass(1000);
  expect(it.sent.at(-1)).toEqual(['x'.repeat(24), '20']);
});

it('does not call kept what was typed while the server was asked', async () => {
  const it = opened();
  it.type('a');
  await it.pass(1000);
  it.type('ab');
  await it.answer(kept('1'));
  expect([it.state, it.keeper.isUnsaved]).toEqual([{ kind: 'changed' }, true]);
  await it.pass(1000);
  expect(it.sent.at(-1)).toEqual(['ab', '1']);
  it.type('abc');
  await it.pass(1000);
  expect(it.sent).toHaveLength(2);
  await it.answer(kept('2'));
  await it.pass(1000);
  expect(it.sent.at(-1)).toEqual(['abc', '2']);
});

it('tries again, less and less often, while the server does not answer, and at once when told to', async () => {
  const it = opened();
  it.type('a');
  await it.pass(1000);
  for (const inMs of [1, 2, 4, 8, 16, 30, 30]) {
    await it.answer(unreached);
    expect(it.state).toMatchObject({ kind: 'waiting' });
    const count = it.sent.length;
    it.type(`typed on ${inMs}`);
    await it.pass(inMs * 1000 - 1);
    expect([inMs, it.sent.length]).toEqual([inMs, count]);
    await it.pass(1);
    expect([inMs, it.sent.length]).toEqual([inMs, count + 1]);
  }
  await it.answer(unreached);
  const again = it.keeper.keep();
  await it.answer(kept('1'));
  await again;
  expect(it.state).toEqual({ kind: 'kept', savedAt: 'at 1' });
  it.type('b');
  await it.pass(1000);
  await it.answer(unreached);
  await it.pass(1000);
  expect(it.sent.at(-1)).toEqual(['b', '1']);
});

it('stops where another window kept another text, until its writer has seen that', async () => {
  const it = opened('0');
  it.type('a');
  await it.pass(1000);
  await it.answer({ kind: 'conflict', version: 'other' });
  expect(it.state).toEqual({ kind: 'conflict', version: 'other' });
  it.type('ab');
  await it.pass(60_000);
  await it.keeper.keep();
  expect(it.sent).toHaveLength(1);
  it.keeper.settled('other');
  await it.pass(1000);
  expect(it.sent.at(-1)).toEqual(['ab', 'other']);
});

it('says so again when its writer types on, and after a save that failed, where that was not settled', async () => {
  const it = opened('0');
  it.type('a');
  await it.pass(1000);
  await it.answer({ kind: 'conflict', version: 'other' });
  await it.pass(60_000);
  expect(it.conflicts()).toBe(1);
  it.type('ab');
  await it.pass(1000);
  expect([it.conflicts(), it.sent.length]).toEqual([2, 1]);
  await it.keeper.hold();
  it.type('abc');
  await it.pass(60_000);
  expect(it.conflicts()).toBe(2);
  it.keeper.release();
  await it.pass(1000);
  expect([it.conflicts(), it.sent.length]).toEqual([3, 1]);
});

it('says so again, less and less often, while the server does not answer what was kept', async () => {
  const it = opened('0');
  it.type('a');
  await it.pass(1000);
  await it.answer({ kind: 'conflict', version: 'other' });
  for (const [at, inMs] of [1000, 2000, 4000].entries()) {
    it.keeper.postpone();
    expect(it.state).toEqual({ kind: 'waiting', inMs });
    await it.keeper.keep();
    await it.pass(inMs - 1);
    expect(it.conflicts()).toBe(at + 1);
    await it.pass(1);
    expect(it.conflicts()).toBe(at + 2);
  }
  it.keeper.settled('other');
  await it.pass(60_000);
  expect([it.conflicts(), it.sent.at(-1)]).toEqual([4, ['a', 'other']]);
});

it('says why a text is refused, and tries again when it changes', async () => {
  const it = opened();
  it.type('a');
  await it.pass(1000);
  await it.answer({ kind: 'refused', message: 'too long' });
  expect([it.state, it.keeper.isUnsaved]).toEqual([{ kind: 'refused', message: 'too long' }, true]);
  await it.pass(60_000);
  expect(it.sent).toHaveLength(1);
  it.type('b');
  await it.pass(1000);
  expect(it.sent).toHaveLength(2);
});

it('keeps nothing while the text is saved for good, and begins anew after it', async () => {
  const it = opened('0');
  it.type('a');
  await it.pass(1000);
  let isHeld = false;
  const holding = it.keeper.hold().then(() => {
    isHeld = true;
  });
  it.type('ab');
  await it.pass(60_000);
  expect([isHeld, it.sent.length]).toEqual([false, 1]);
  await it.answer(kept('1'));
  await holding;
  await it.pass(60_000);
  expect(it.sent).toHaveLength(1);
  expect(it.keeper.keptVersion).toBe('1');
  it.keeper.saved('now', false);
  expect([it.state, it.keeper.isUnsaved]).toEqual([{ kind: 'kept', savedAt: 'now' }, false]);
  it.type('abc');
  await it.pass(1000);
  expect(it.sent.at(-1)).toEqual(['abc', undefined]);
});

it('goes on keeping where saving for good failed, and what was typed meanwhile', async () => {
  const it = opened();
  it.type('a');
  await it.keeper.hold();
  it.keeper.release();
  await it.pass(1000);
  expect(it.sent).toEqual([['a', undefined]]);
  await it.answer(kept('1'));
  await it.keeper.hold();
  it.type('ab');
  it.keeper.saved('now', true);
  await it.pass(1000);
  expect(it.sent.at(-1)).toEqual(['ab', undefined]);
});
