/** What the build takes in beside TypeScript. */
declare module '*.css'
declare module '@fontsource-variable/*'
