import { Anchor, Button, NavLink, type AnchorProps, type ButtonProps, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

/** The library's components as real links, typed by the router. */
type OwnAnchor<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

export const LinkText = createLink((props: OwnAnchor<AnchorProps>) => <Anchor {...props} />);

export const LinkButton = createLink((props: OwnAnchor<ButtonProps>) => <Button component="a" {...props} />);

export const LinkNav = createLink((props: OwnAnchor<NavLinkProps>) => <NavLink component="a" {...props} />);
