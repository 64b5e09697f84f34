const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('details.menu[open]');

/** Closes menus when their reader goes on elsewhere, or presses Escape. */
export function closeMenusOutside(): void {
  document.addEventListener('click', ({ target }) => {
    for (const menu of openMenus()) if (!menu.contains(target as Node)) menu.open = false;
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    for (const menu of openMenus()) {
      const hadFocus = menu.contains(document.activeElement);
      menu.open = false;
      if (hadFocus) menu.querySelector('summary')?.focus();
    }
  });
  // A narrow screen has no room for the navigation beside the text.
  if (matchMedia('(max-width: 60rem)').matches)
    for (const sidebar of document.querySelectorAll<HTMLDetailsElement>('details.sidebar')) sidebar.open = false;
}
