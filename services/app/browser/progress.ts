interface Progress {
  text: string;
  ended: boolean;
}

const firstMs = 2000;
const maxMs = 15_000;

/** Keeps the texts about work that is going on as they are by now, and shows the screen anew when it has ended. */
export function watchProgress(): void {
  const shown = document.querySelector<HTMLElement>('[data-progress]');
  const address = shown?.dataset.progress;
  if (!shown || !address) return;
  let pause = firstMs;
  const look = async () => {
    // Nobody looks: asking again begins when somebody does.
    if (document.hidden) return document.addEventListener('visibilitychange', look, { once: true });
    const answer = await fetch(address).catch(() => undefined);
    const progress = answer?.ok ? ((await answer.json()) as Progress) : undefined;
    if (progress?.ended) return location.reload();
    if (progress && shown.textContent !== progress.text) shown.textContent = progress.text;
    else pause = Math.min(maxMs, pause * 1.5);
    setTimeout(look, pause);
  };
  setTimeout(look, pause);
}
