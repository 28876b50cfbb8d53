/** The element in which menus open: within the page's landmarks and within what counts as at work. */
import { createContext, useContext } from 'react'

const PortalContainerContext = createContext<HTMLElement | null>(null)

export const PortalContainerProvider = PortalContainerContext.Provider
export const usePortalContainer = (): HTMLElement | null => useContext(PortalContainerContext)
