/** The element in which menus open: within the page's landmarks and within what counts as at work. */
import { createContext, useContext } from 'react'

const LayerContext = createContext<HTMLElement | null>(null)

export const LayerProvider = LayerContext.Provider
export const useLayer = (): HTMLElement | null => useContext(LayerContext)
