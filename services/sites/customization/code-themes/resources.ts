import { z } from 'zod';

/** Themes of code blocks: Bindery's own are drawn in the colors of the site, all others are those of Shiki. */
const codeThemes = `
default-light default-dark monochrome-light monochrome-dark andromeeda aurora-x ayu-dark catppuccin-frappe catppuccin-latte
catppuccin-macchiato catppuccin-mocha dark-plus dracula dracula-soft everforest-dark everforest-light github-dark
github-dark-default github-dark-dimmed github-dark-high-contrast github-light github-light-default github-light-high-contrast
gruvbox-dark-hard gruvbox-dark-medium gruvbox-dark-soft gruvbox-light-hard gruvbox-light-medium gruvbox-light-soft houston
kanagawa-dragon kanagawa-lotus kanagawa-wave laserwave light-plus material-theme material-theme-darker material-theme-lighter
material-theme-ocean material-theme-palenight min-dark min-light monokai night-owl nord one-dark-pro one-light plastic
poimandres red rose-pine rose-pine-dawn rose-pine-moon slack-dark slack-ochin snazzy-light solarized-dark solarized-light
synthwave-84 tokyo-night vesper vitesse-black vitesse-dark vitesse-light
`
  .trim()
  .split(/\s+/);

const themed = z.object({ light: z.enum(codeThemes), dark: z.enum(codeThemes) });

/** The themes of code blocks, and of those in OpenAPI blocks. */
export const codeThemeSchema = z.object({ default: themed, openapi: themed });
