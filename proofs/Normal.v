(** Formulas are brought into a simpler form before they are compared: until
    and since are the only temporal operators, negations are at them, and
    windows of windows are one window. *)

From Coq Require Import Arith Lia Classical List Bool.
From Shall Require Import Definitions Runs Operators Ways Check.
Import ListNotations.

(** Formulas with temporal operators nested deeper than this are equal only if
    they are the same. *)
Definition depth : nat := 6.

Definition certain (f : form) : bool := quick depth f.

(** A temporal formula or its negation. *)
Definition temporal (p : form) : bool :=
  match p with U_ _ _ _ | S_ _ _ _ | Not (U_ _ _ _) | Not (S_ _ _ _) => true | _ => false end.

(** One of two temporal formulas implies the other, for example by its window. *)
Definition implied (p q : form) : bool := temporal p &&& temporal q &&& sure 1 (Imp p q).

Definition and (p q : form) : form :=
  match p, q with
  | Top, r | r, Top => r
  | Bot, _ | _, Bot => Bot
  | _, _ => if implied p q then p else if implied q p then q else And p q
  end.

Definition or (p q : form) : form :=
  match p, q with
  | Bot, r | r, Bot => r
  | Top, _ | _, Top => Top
  | _, _ => if implied p q then q else if implied q p then p else Or p q
  end.

Fixpoint neg (p : form) : form :=
  match p with
  | Top => Bot
  | Bot => Top
  | Not p => p
  | And p q => or (neg p) (neg q)
  | Or p q => and (neg p) (neg q)
  | _ => Not p
  end.

Definition plus (a b : num) : option num :=
  match a, b with
  | K x, K y => Some (K (x + y))
  | K x, M y | M x, K y => Some (M (x + y))
  | M _, M _ => None
  end.

Definition plus_high (a b : option num) : option (option num) :=
  match a, b with
  | Some x, Some y => option_map Some (plus x y)
  | _, _ => Some None
  end.

(** The window of a window. *)
Definition plus_bound (a b : bound) : option bound :=
  match plus (low a) (low b), plus_high (high a) (high b) with
  | Some lo, Some hi => Some (Bound lo hi)
  | _, _ => None
  end.

(** Both windows have a position, whatever [m] is. *)
Definition proper (a : bound) : bool :=
  match high a with Some h => num_leb (low a) h | None => true end.

Definition positive (a : num) : bool := match a with K (S _) | M (S _) => true | _ => false end.

(** A way to the end of another: one window, if the ways are the same; the
    window alone, if it is unbounded; and steps that both operands take are
    taken first. *)
Definition nested_way (d : direction) (b : bound) (p q : form) : form :=
  match as_way q with
  | Some (d', b', p', q') =>
      if direction_eqb d d' then
        match plus_bound b b' with
        | Some sum =>
            if proper b &&& proper b' &&& certain (Iff p p') then Way d sum p q'
            else if form_eqb p Top &&& high_eqb (high b) None &&& starts_here b' then Way d b Top q'
            else
              match as_way p with
              | Some (d'', b'', Top, p'') =>
                  if direction_eqb d d'' &&& bound_eqb b' b'' &&& is_point b' &&& form_eqb p' Top then
                    if starts_here b &&& certain (Imp p'' q') then Way d b' Top q'
                    else if (form_eqb p'' Top ||| (starts_here b &&& certain (Or p'' q'))) &&& proper b &&& proper b' then Way d sum Top q'
                    else Way d b' Top (Way d b p'' q')
                  else Way d b p q
              | _ => Way d b p q
              end
        | None => Way d b p q
        end
      else Way d b p q
  | None => Way d b p q
  end.

(** A way to a goal that is not a disjunction. *)
Definition simple_way (d : direction) (b : bound) (p q : form) : form :=
  if certain (Not q) then Bot
  else if positive (low b) &&& certain (Not p) then Bot
  else nested_way d b (if certain p then Top else p) q.

(** A disjunction of ways for a disjunction of goals. *)
Fixpoint ways (d : direction) (b : bound) (p q : form) : form :=
  match q with
  | Or q1 q2 => or (ways d b p q1) (ways d b p q2)
  | _ => simple_way d b p q
  end.

(** There is no position before this one. *)
Definition first_position : form := Not (S_ one_step Top Top).

(** Since the first position. *)
Definition since_start (d : direction) (b : bound) (p q : form) : bool :=
  direction_eqb d Back &&& bound_eqb b all &&& certain (Iff q (And p first_position)).

(** The goal is "again and again", or "from some position on": nothing changes
    on the way to it. *)
Definition recurs (d : direction) (b : bound) (p q : form) : bool :=
  match q with
  | Not x =>
      match as_way x with
      | Some (d', b', Top, Not y) =>
          match as_way y with
          | Some (d'', b'', Top, _) =>
              form_eqb p Top &&& bound_eqb b all &&& bound_eqb b' all &&& bound_eqb b'' all &&&
              direction_eqb d d' &&& direction_eqb d d''
          | _ => false
          end
      | _ => false
      end
  | _ => false
  end.

(** The goal is an unbounded window, so nothing changes on the way to it. *)
Definition arrives (d : direction) (b : bound) (q : form) : bool :=
  match as_way q with
  | Some (d', b', Top, _) => starts_here b &&& direction_eqb d d' &&& high_eqb (high b') None
  | _ => false
  end.

Definition normal_way (d : direction) (b : bound) (p q : form) : form :=
  if bound_eqb b (Bound (K 0) (Some (K 0))) then q
  else if bound_eqb b (Bound (K 0) (Some (K 1))) then or q (and p (ways d one_step Top q))
  else if since_start d b p q then neg (ways Back all Top (neg p))
  else if recurs d b p q then q
  else if arrives d b q then q
  else if proper b &&& certain p &&& certain q then (if starts_here b then Top else Way d (exactly (low b)) Top Top)
  else if starts_here b then
    if certain (Imp p q) then q
    else if certain (Or p q) then ways d b Top q
    else match q with Or _ _ => ways d b (or p q) q | _ => ways d b p q end
  else ways d b p q.

Fixpoint normal (f : form) : form :=
  match f with
  | Top => Top
  | Bot => Bot
  | Var a => Var a
  | Not p => neg (normal p)
  | And p q => and (normal p) (normal q)
  | Or p q => or (normal p) (normal q)
  | Imp p q => or (neg (normal p)) (normal q)
  | Iff p q => let p := normal p in let q := normal q in and (or (neg p) q) (or (neg q) p)
  | Xor p q => let p := normal p in let q := normal q in or (and p (neg q)) (and (neg p) q)
  | F_ b p => normal_way Ahead b Top (normal p)
  | G_ b p => neg (normal_way Ahead b Top (neg (normal p)))
  | O_ b p => normal_way Back b Top (normal p)
  | H_ b p => neg (normal_way Back b Top (neg (normal p)))
  | U_ b p q => normal_way Ahead b (normal p) (normal q)
  | R_ b p q => neg (normal_way Ahead b (neg (normal p)) (neg (normal q)))
  | S_ b p q => normal_way Back b (normal p) (normal q)
  | T_ b p q => neg (normal_way Back b (neg (normal p)) (neg (normal q)))
  end.

(** The two formulas are equal, as far as the checker can tell. *)
Definition equal (f g : form) : bool := sure depth (Iff (normal f) (normal g)).

(** * It is sound *)

Ltac by_cases := intros m tr i Hi; cbn [sem]; tauto.

Lemma certain_sound f : certain f = true -> valid f.
Proof. apply quick_sound. Qed.

Lemma implied_sound p q : implied p q = true -> valid (Imp p q).
Proof. unfold implied. rewrite !both_true. intros [_ E]. apply sure_sound in E. assumption. Qed.

Lemma and_is p q : equiv (and p q) (And p q).
Proof.
  assert (equiv (if implied p q then p else if implied q p then q else And p q) (And p q)) as Hand.
  { destruct (implied p q) eqn:E1; [| destruct (implied q p) eqn:E2; [| apply equiv_refl]].
    - apply implied_sound in E1. intros m tr i Hi. specialize (E1 m tr i Hi). cbn [sem] in *. tauto.
    - apply implied_sound in E2. intros m tr i Hi. specialize (E2 m tr i Hi). cbn [sem] in *. tauto. }
  unfold and. destruct p; try (destruct q; try exact Hand); try clear Hand; by_cases.
Qed.

Lemma or_is p q : equiv (or p q) (Or p q).
Proof.
  assert (equiv (if implied p q then q else if implied q p then p else Or p q) (Or p q)) as Hor.
  { destruct (implied p q) eqn:E1; [| destruct (implied q p) eqn:E2; [| apply equiv_refl]].
    - apply implied_sound in E1. intros m tr i Hi. specialize (E1 m tr i Hi). cbn [sem] in *. tauto.
    - apply implied_sound in E2. intros m tr i Hi. specialize (E2 m tr i Hi). cbn [sem] in *. tauto. }
  unfold or. destruct p; try (destruct q; try exact Hor); try clear Hor; by_cases.
Qed.

Lemma neg_is p : equiv (neg p) (Not p).
Proof.
  induction p; simpl; try by_cases.
  - intros m tr i Hi. rewrite (or_is _ _ m tr i Hi). cbn [sem]. rewrite (IHp1 m tr i Hi), (IHp2 m tr i Hi). cbn [sem].
    destruct (classic (sem m tr p1 i)), (classic (sem m tr p2 i)); tauto.
  - intros m tr i Hi. rewrite (and_is _ _ m tr i Hi). cbn [sem]. rewrite (IHp1 m tr i Hi), (IHp2 m tr i Hi). cbn [sem]. tauto.
Qed.

Lemma plus_val m a b c : plus a b = Some c -> val m c = val m a + val m b.
Proof. destruct a, b; simpl; intros E; try discriminate; injection E as <-; simpl; lia. Qed.

Lemma proper_le m a h : proper a = true -> high a = Some h -> val m (low a) <= val m h.
Proof. unfold proper. intros Hp Hh. rewrite Hh in Hp. apply num_leb_le. assumption. Qed.

Lemma plus_bound_window m a b c k : plus_bound a b = Some c -> proper a = true -> proper b = true ->
  (window m c k <-> exists x y, window m a x /\ window m b y /\ k = x + y).
Proof.
  unfold plus_bound. intros E Ha Hb. destruct (plus (low a) (low b)) as [lo|] eqn:El; [| discriminate].
  destruct (plus_high (high a) (high b)) as [hi|] eqn:Eh; [| discriminate]. injection E as <-.
  apply (plus_val m) in El. unfold window. cbn [low high]. rewrite El.
  pose proof (proper_le m a) as Pa. pose proof (proper_le m b) as Pb.
  destruct (high a) as [ha|], (high b) as [hb|]; simpl in Eh.
  - destruct (plus ha hb) as [h|] eqn:Ep; [| discriminate]. injection Eh as <-. apply (plus_val m) in Ep. rewrite Ep.
    specialize (Pa ha Ha eq_refl). specialize (Pb hb Hb eq_refl). split.
    + intros [H1 H2]. destruct (le_lt_dec k (val m ha + val m (low b))).
      * exists (k - val m (low b)), (val m (low b)). lia.
      * exists (val m ha), (k - val m ha). lia.
    + intros [x [y [H1 [H2 ->]]]]. lia.
  - injection Eh as <-. specialize (Pa ha Ha eq_refl). split.
    + intros [H1 _]. exists (val m (low a)), (k - val m (low a)). lia.
    + intros [x [y [H1 [H2 ->]]]]. lia.
  - injection Eh as <-. specialize (Pb hb Hb eq_refl). split.
    + intros [H1 _]. exists (k - val m (low b)), (val m (low b)). lia.
    + intros [x [y [H1 [H2 ->]]]]. lia.
  - injection Eh as <-. split.
    + intros [H1 _]. exists (val m (low a)), (k - val m (low a)). lia.
    + intros [x [y [H1 [H2 ->]]]]. lia.
Qed.

Lemma starts_high b : high_leb (high b) (high b) = true.
Proof. destruct (high b) as [[x|x]|]; simpl; auto using Nat.leb_refl. Qed.

(** Before the first goal, the way may also hold at a goal. *)
Lemma way_or_goal d b p p' q : starts_here b = true -> valid (Imp (Not q) (Iff p p')) -> equiv (Way d b p q) (Way d b p' q).
Proof.
  intros Hs Hv m tr i Hi. rewrite !sem_Way. split; apply way_first; auto.
  - intros k j. apply starts_window; [apply starts_high | assumption].
  - intros x Hx Hp Hn. apply (Hv m tr x Hx); assumption.
  - intros x Hx. auto.
  - intros k j. apply starts_window; [apply starts_high | assumption].
  - intros x Hx Hp Hn. apply (Hv m tr x Hx); assumption.
  - intros x Hx. auto.
Qed.

(** One way after the other. *)
Lemma sum_is d b b' sum p q : plus_bound b b' = Some sum -> proper b = true -> proper b' = true ->
  equiv (Way d sum p q) (Way d b p (Way d b' p q)).
Proof.
  intros Es Hb Hb' m tr i Hi. rewrite !sem_Way.
  rewrite <- (way_way m tr d i b b' sum); [| intros k; apply plus_bound_window; assumption]. destruct d; reflexivity.
Qed.

(** An unbounded window of a way. *)
Lemma window_of_way d b b' p q : high b = None -> starts_here b' = true -> equiv (Way d b Top q) (Way d b Top (Way d b' p q)).
Proof.
  intros Hb Hb' m tr i Hi. rewrite !sem_Way. split.
  - apply way_monotone; auto; [intros x Hx; auto |]. intros x Hx Hq. rewrite sem_Way. apply way_now; auto using starts_0.
  - intros [k [[Hw _] [Hk [Hq _]]]]. rewrite sem_Way in Hq. destruct Hq as [k' [_ [Hk' [Hq _]]]]. rewrite step_step in Hq.
    exists (k + k'). split; [unfold window; rewrite Hb; split; [lia | exact I] | split; [apply there_step; assumption | split; [assumption |]]].
    intros j _. exact I.
Qed.

(** Steps that both operands take are taken first. *)
Lemma steps_outside d b c p q : high c = Some (low c) ->
  equiv (Way d c Top (Way d b p q)) (Way d b (Way d c Top p) (Way d c Top q)).
Proof.
  intros Hc m tr i Hi. assert (c = exactly (low c)) as Ec by (destruct c; simpl in *; subst; reflexivity). rewrite Ec.
  set (n := low c). rewrite !sem_Way. split.
  - intros [x [Hx [Ht [Hway _]]]]. apply window_exactly in Hx. subst x. rewrite sem_Way in Hway.
    destruct Hway as [k [Hk [Ht' [Hq Hp]]]]. rewrite step_step in Hq.
    assert (there d tr i (k + val m n)) as Hthere by (rewrite Nat.add_comm; apply there_step; assumption).
    pose proof (step_there _ _ _ _ _ Hthere) as [H1 H2]. exists k. split; [assumption | split; [assumption | split]].
    + rewrite sem_Way. exists (val m n). rewrite window_exactly, step_step, (Nat.add_comm k). repeat split; auto.
    + intros j Hj. rewrite sem_Way. exists (val m n).
      assert (there d tr i (j + val m n)) as Hj' by (apply (there_less d tr i (k + val m n)); [assumption | lia]).
      apply step_there in Hj'. specialize (Hp j Hj). rewrite step_step in Hp. rewrite window_exactly, step_step, (Nat.add_comm j).
      repeat split; auto. apply Hj'.
  - intros [k [Hk [Ht [Hq Hp]]]]. rewrite sem_Way in Hq. destruct Hq as [x [Hx [Ht' [Hq _]]]]. apply window_exactly in Hx. subst x.
    rewrite step_step in Hq. assert (there d tr i (val m n + k)) as Hthere by (rewrite Nat.add_comm; apply there_step; assumption).
    pose proof (step_there _ _ _ _ _ Hthere) as [H1 H2]. exists (val m n). rewrite window_exactly. split; [reflexivity | split; [assumption | split]].
    + rewrite sem_Way. exists k. split; [assumption | split; [assumption | split]].
      * rewrite step_step, Nat.add_comm. assumption.
      * intros j Hj. specialize (Hp j Hj). rewrite sem_Way in Hp. destruct Hp as [x [Hx [_ [Hp _]]]]. apply window_exactly in Hx. subst x.
        rewrite step_step in *. rewrite Nat.add_comm. assumption.
    + intros j _. exact I.
Qed.

Lemma nested_way_is d b p q : equiv (nested_way d b p q) (Way d b p q).
Proof.
  unfold nested_way. destruct (as_way q) as [[[[d' b'] p'] q']|] eqn:Ew; [| apply equiv_refl].
  destruct (direction_eqb d d') eqn:Ed; [| apply equiv_refl]. apply direction_eqb_eq in Ed. subst d'.
  destruct (plus_bound b b') as [sum|] eqn:Es; [| apply equiv_refl]. apply as_way_is in Ew. subst q.
  destruct (proper b &&& proper b' &&& certain (Iff p p')) eqn:Et.
  { rewrite !both_true in Et. destruct Et as [[Hb Hb'] Hp]. apply certain_sound in Hp. apply iff_equiv in Hp.
    apply equiv_trans with (Way d b p (Way d b' p q')); [apply sum_is; assumption |].
    apply Way_congruent; [apply equiv_refl |]. apply Way_congruent; [assumption | apply equiv_refl]. }
  destruct (form_eqb p Top &&& high_eqb (high b) None &&& starts_here b') eqn:Eh.
  { rewrite !both_true in Eh. destruct Eh as [[Hp Hb] Hb']. apply form_eqb_eq in Hp. apply high_eqb_eq in Hb. subst p.
    apply window_of_way; assumption. }
  destruct (as_way p) as [[[[d'' b''] []] p'']|] eqn:Ep; try apply equiv_refl.
  destruct (direction_eqb d d'' &&& bound_eqb b' b'' &&& is_point b' &&& form_eqb p' Top) eqn:Ex; [| apply equiv_refl].
  rewrite !both_true in Ex. destruct Ex as [[[Hd Hb] Hpoint] Hp']. apply direction_eqb_eq in Hd. apply bound_eqb_eq in Hb.
  apply high_eqb_eq in Hpoint. apply form_eqb_eq in Hp'. apply as_way_is in Ep. subst.
  apply equiv_trans with (Way d'' b'' Top (Way d'' b p'' q')); [| apply steps_outside; assumption].
  destruct (starts_here b &&& certain (Imp p'' q')) eqn:Eq.
  { rewrite both_true in Eq. destruct Eq as [Hs Hi']. apply certain_sound in Hi'. apply Way_congruent; [apply equiv_refl |].
    intros m tr i Hi. rewrite sem_Way. split.
    - intros Hq. apply way_now; auto using starts_0.
    - intros Hw. apply way_starts in Hw. destruct Hw as [Hp | Hq]; [apply (Hi' m tr i Hi) |]; assumption. }
  destruct ((form_eqb p'' Top ||| (starts_here b &&& certain (Or p'' q'))) &&& proper b &&& proper b'') eqn:Er; [| apply equiv_refl].
  rewrite !both_true, either_true, both_true in Er. destruct Er as [[Hp'' Hb] Hb'].
  apply equiv_trans with (Way d'' b'' Top (Way d'' b Top q')).
  2: { apply Way_congruent; [apply equiv_refl |]. destruct Hp'' as [Hp'' | [Hs Hor]]; [apply form_eqb_eq in Hp''; subst; apply equiv_refl |].
    apply certain_sound in Hor. apply way_or_goal; [assumption |]. intros m tr i Hi Hn. pose proof (Hor m tr i Hi) as [|]; simpl in *; tauto. }
  apply equiv_trans with (Way d'' b Top (Way d'' b'' Top q')); [apply sum_is; assumption |].
  intros m tr i Hi. rewrite !sem_Way.
  split; intros [k [Hk [Ht [Hq _]]]]; rewrite sem_Way in Hq; destruct Hq as [k' [Hk' [Ht' [Hq _]]]]; rewrite step_step in Hq;
    (assert (there d'' tr i (k' + k)) as Hthere by (rewrite Nat.add_comm; apply there_step; assumption));
    pose proof (step_there _ _ _ _ _ Hthere) as [H1 H2]; exists k'; (split; [assumption | split; [assumption | split; [| intros j _; exact I]]]);
    rewrite sem_Way; exists k; (split; [assumption | split; [assumption | split; [rewrite step_step, Nat.add_comm; assumption | intros j _; exact I]]]).
Qed.

Lemma simple_way_is d b p q : equiv (simple_way d b p q) (Way d b p q).
Proof.
  unfold simple_way. destruct (certain (Not q)) eqn:Eq.
  { apply certain_sound in Eq. intros m tr i Hi. rewrite sem_Way. split; [intros [] |].
    intros [k [_ [Hk [Hq _]]]]. apply (Eq m tr (step d i k)); [apply there_inside |]; assumption. }
  destruct (positive (low b) &&& certain (Not p)) eqn:Ep.
  { apply both_true in Ep. destruct Ep as [Hpos Ep]. apply certain_sound in Ep. intros m tr i Hi. rewrite sem_Way. split; [intros [] |].
    intros [k [[Hw _] [Hk [_ Hp]]]]. apply (Ep m tr i Hi). rewrite <- (step_0 d i). apply Hp.
    destruct (low b) as [[|c]|[|c]]; simpl in *; try discriminate; lia. }
  set (p' := if certain p then Top else p). assert (equiv p p') as Hp.
  { unfold p'. destruct (certain p) eqn:Ec; [| apply equiv_refl]. apply certain_sound in Ec. intros m tr i Hi. simpl. pose proof (Ec m tr i Hi). tauto. }
  apply equiv_trans with (Way d b p' q); [apply nested_way_is | apply Way_congruent; [apply equiv_sym; assumption | apply equiv_refl]].
Qed.

Lemma ways_is d b p q : equiv (ways d b p q) (Way d b p q).
Proof.
  induction q; try apply simple_way_is. simpl ways.
  intros m tr i Hi. rewrite (or_is _ _ m tr i Hi). cbn [sem]. rewrite (IHq1 m tr i Hi), (IHq2 m tr i Hi).
  rewrite !sem_Way. cbn [sem]. symmetry. apply way_or.
Qed.

Lemma not_congruent p q : equiv p q -> equiv (Not p) (Not q).
Proof. intros Hp m tr i Hi. cbn [sem]. rewrite (Hp m tr i Hi). reflexivity. Qed.

Lemma first_position_is m tr i : sem m tr first_position i <-> i = 0.
Proof.
  unfold first_position. cbn [sem]. split.
  - intros Hn. destruct i as [|i]; [reflexivity | exfalso]. apply Hn. exists 1. rewrite window_one. repeat split; auto. lia.
  - intros -> [k [Hw [Hk _]]]. apply window_one in Hw. lia.
Qed.

Lemma since_start_is d b p q : since_start d b p q = true -> equiv (neg (ways Back all Top (neg p))) (Way d b p q).
Proof.
  unfold since_start. rewrite !both_true. intros [[Ed Eb] Eq]. apply direction_eqb_eq in Ed. apply bound_eqb_eq in Eb. subst.
  apply certain_sound in Eq. apply iff_equiv in Eq.
  apply equiv_trans with (Not (Way Back all Top (Not p))).
  { apply equiv_trans with (Not (ways Back all Top (neg p))); [apply neg_is | apply not_congruent].
    apply equiv_trans with (Way Back all Top (neg p)); [apply ways_is | apply Way_congruent; [apply equiv_refl | apply neg_is]]. }
  apply equiv_trans with (H_ all p); [apply equiv_sym, H_way |].
  intros m tr i Hi. rewrite sem_H. change (Way Back all p q) with (S_ all p q). rewrite sem_S. split.
  - intros Hp. exists 0. split; [lia | split].
    + apply Eq; [apply (inside_le tr i); [assumption | lia] |]. split; [apply Hp; lia | apply first_position_is; reflexivity].
    + intros k Hk. apply Hp. lia.
  - intros [j [Hj [Hq Hk]]] x Hx. apply Eq in Hq; [| apply (inside_le tr i); assumption].
    destruct Hq as [Hp Hf]. change (sem m tr first_position j) in Hf. apply first_position_is in Hf. subst.
    destruct x; [assumption | apply Hk; lia].
Qed.

Lemma recurs_is d b p q : recurs d b p q = true -> equiv q (Way d b p q).
Proof.
  unfold recurs. destruct q as [| | |x| | | | | | | | | | | | |]; try discriminate.
  destruct (as_way x) as [[[[d' b'] []] []]|] eqn:Ex; try discriminate.
  match goal with |- context [as_way ?y] => destruct (as_way y) as [[[[d'' b''] []] r]|] eqn:Ey end; try discriminate.
  rewrite !both_true. intros [[[[[Hp Hb] Hb'] Hb''] Hd] Hd']. apply form_eqb_eq in Hp. apply bound_eqb_eq in Hb, Hb', Hb''.
  apply direction_eqb_eq in Hd, Hd'. apply as_way_is in Ex, Ey. subst.
  intros m tr i Hi. rewrite sem_Way. split; [intros Hq; apply way_now; auto using window_all |].
  intros [k [_ [Hk [Hq _]]]]. cbn [sem] in Hq |- *. rewrite sem_Way in *. intros [j [_ [Hj [Hn _]]]]. apply Hn. rewrite sem_Way.
  assert (forall x, there d'' tr (step d'' i k) x -> sem m tr (Way d'' all Top r) (step d'' i (k + x))) as Hall.
  { intros x Hx. apply NNPP. intros No. apply Hq. exists x. split; [apply window_all | split; [assumption | split; [| intros; exact I]]].
    cbn [sem]. rewrite step_step. assumption. }
  destruct (le_lt_dec j k) as [Hle | Hlt].
  - assert (sem m tr (Way d'' all Top r) (step d'' i (k + 0))) as Hr by (apply Hall, there_0, there_inside; assumption).
    rewrite Nat.add_0_r, sem_Way in Hr. destruct Hr as [y [_ [Hy [Hr _]]]]. rewrite step_step in Hr.
    assert (there d'' tr i (k + y)) as Hky by (apply there_step; assumption).
    exists (k - j + y). split; [apply window_all |]. replace (k + y) with (j + (k - j + y)) in Hky, Hr by lia.
    apply step_there in Hky. rewrite step_step. split; [apply Hky | split; [assumption | intros; exact I]].
  - assert (there d'' tr i (k + (j - k))) as Hkj by (replace (k + (j - k)) with j by lia; assumption).
    apply step_there in Hkj. specialize (Hall (j - k) (proj2 Hkj)). replace (k + (j - k)) with j in Hall by lia. rewrite sem_Way in Hall. assumption.
Qed.

Lemma arrives_is d b p q : arrives d b q = true -> equiv q (Way d b p q).
Proof.
  unfold arrives. destruct (as_way q) as [[[[d' b'] []] q']|] eqn:Eq; try discriminate.
  rewrite !both_true. intros [[Hs Hd] Hb']. apply direction_eqb_eq in Hd. apply high_eqb_eq in Hb'. apply as_way_is in Eq. subst.
  intros m tr i Hi. rewrite (sem_Way m tr d' b p). split; [intros Hq; apply way_now; auto using starts_0 |].
  intros [k [_ [Hk [Hq _]]]]. rewrite sem_Way in *. destruct Hq as [k' [[Hw _] [Hk' [Hq _]]]]. rewrite step_step in Hq.
  exists (k + k'). split; [unfold window; rewrite Hb'; split; [lia | exact I] | split; [apply there_step; assumption | split; [assumption | intros; exact I]]].
Qed.

Lemma normal_way_is d b p q : equiv (normal_way d b p q) (Way d b p q).
Proof.
  unfold normal_way. destruct (bound_eqb b (Bound (K 0) (Some (K 0)))) eqn:E0.
  { apply bound_eqb_eq in E0. subst. intros m tr i Hi. rewrite sem_Way. split.
    - intros Hq. apply way_now; auto. split; simpl; lia.
    - intros [k [[_ Hw] [_ [Hq _]]]]. simpl in Hw. replace k with 0 in Hq by lia. rewrite step_0 in Hq. assumption. }
  destruct (bound_eqb b (Bound (K 0) (Some (K 1)))) eqn:E1.
  { apply bound_eqb_eq in E1. subst. intros m tr i Hi. rewrite (or_is _ _ m tr i Hi). cbn [sem]. rewrite (and_is _ _ m tr i Hi). cbn [sem].
    rewrite (ways_is _ _ _ _ m tr i Hi), !sem_Way. split.
    - intros [Hq | [Hp [k [Hw [Hk [Hq _]]]]]]; [apply way_now; auto; split; simpl; lia |].
      apply window_one in Hw. subst. exists 1. split; [split; simpl; lia | split; [assumption | split; [assumption |]]].
      intros j Hj. replace j with 0 by lia. rewrite step_0. assumption.
    - intros [k [[_ Hw] [Hk [Hq Hp]]]]. simpl in Hw. destruct k as [|[|k]]; [| | lia].
      + left. rewrite step_0 in Hq. assumption.
      + right. split; [rewrite <- (step_0 d i); apply Hp; lia |]. exists 1. rewrite window_one.
        split; [reflexivity | split; [assumption | split; [assumption |]]]. intros j Hj. exact I. }
  destruct (since_start d b p q) eqn:Ess; [apply since_start_is; assumption |].
  destruct (recurs d b p q) eqn:Erec; [apply recurs_is; assumption |].
  destruct (arrives d b q) eqn:Earr; [apply arrives_is; assumption |].
  destruct (proper b &&& certain p &&& certain q) eqn:Ect.
  { rewrite !both_true in Ect. destruct Ect as [[Hb Hp] Hq]. apply certain_sound in Hp. apply certain_sound in Hq.
    intros m tr i Hi. rewrite sem_Way. destruct (starts_here b) eqn:Es.
    - split; [intros _; apply way_now; auto using starts_0 | intros _; exact I].
    - rewrite sem_Way. split.
      + intros [k [Hk [Ht _]]]. apply window_exactly in Hk. subst. exists (val m (low b)).
        split; [split; [lia |]; destruct (high b) as [h|] eqn:Eh; [apply (proper_le m b h Hb Eh) | exact I] |].
        split; [assumption | split; [apply (Hq m tr), there_inside; assumption |]].
        intros j Hj. apply (Hp m tr), there_inside; [assumption |]. apply (there_less d tr i (val m (low b))); [assumption | lia].
      + intros [k [[Hk _] [Ht _]]]. exists (val m (low b)). rewrite window_exactly.
        split; [reflexivity | split; [apply (there_less d tr i k); assumption | split; [exact I | intros; exact I]]]. }
  destruct (starts_here b) eqn:Es; [| apply ways_is].
  destruct (certain (Imp p q)) eqn:Ei.
  { apply certain_sound in Ei. intros m tr i Hi. rewrite sem_Way. split.
    - intros Hq. apply way_now; auto using starts_0.
    - intros Hw. apply way_starts in Hw. destruct Hw as [Hp | Hq]; [apply (Ei m tr i Hi) |]; assumption. }
  destruct (certain (Or p q)) eqn:Eo.
  { apply certain_sound in Eo. apply equiv_trans with (Way d b Top q); [apply ways_is |]. apply way_or_goal; [assumption |].
    intros m tr i Hi Hn. pose proof (Eo m tr i Hi) as [|]; simpl in *; tauto. }
  destruct q; try apply ways_is. apply equiv_trans with (Way d b (or p (Or q1 q2)) (Or q1 q2)); [apply ways_is |].
  apply way_or_goal; [assumption |]. intros m tr i Hi Hn. cbn [sem]. rewrite (or_is _ _ m tr i Hi). cbn [sem] in *. tauto.
Qed.

Lemma normal_is f : equiv (normal f) f.
Proof.
  assert (forall d b p p' q q', equiv p p' -> equiv q q' -> equiv (normal_way d b p q) (Way d b p' q')) as Hway.
  { intros d b p p' q q' Hp Hq. apply equiv_trans with (Way d b p q); [apply normal_way_is | apply Way_congruent; assumption]. }
  assert (forall p p', equiv p p' -> equiv (neg p) (Not p')) as Hneg.
  { intros p p' Hp. apply equiv_trans with (Not p); [apply neg_is | apply not_congruent; assumption]. }
  induction f; simpl normal; try apply equiv_refl.
  - auto.
  - intros m tr i Hi. rewrite (and_is _ _ m tr i Hi). cbn [sem]. rewrite (IHf1 m tr i Hi), (IHf2 m tr i Hi). reflexivity.
  - intros m tr i Hi. rewrite (or_is _ _ m tr i Hi). cbn [sem]. rewrite (IHf1 m tr i Hi), (IHf2 m tr i Hi). reflexivity.
  - intros m tr i Hi. rewrite (or_is _ _ m tr i Hi). cbn [sem]. rewrite (Hneg _ _ IHf1 m tr i Hi), (IHf2 m tr i Hi). cbn [sem].
    destruct (classic (sem m tr f1 i)); tauto.
  - intros m tr i Hi. rewrite (and_is _ _ m tr i Hi). cbn [sem]. rewrite !(or_is _ _ m tr i Hi). cbn [sem].
    rewrite (Hneg _ _ IHf1 m tr i Hi), (Hneg _ _ IHf2 m tr i Hi), (IHf1 m tr i Hi), (IHf2 m tr i Hi). cbn [sem].
    destruct (classic (sem m tr f1 i)), (classic (sem m tr f2 i)); tauto.
  - intros m tr i Hi. rewrite (or_is _ _ m tr i Hi). cbn [sem]. rewrite !(and_is _ _ m tr i Hi). cbn [sem].
    rewrite (Hneg _ _ IHf1 m tr i Hi), (Hneg _ _ IHf2 m tr i Hi), (IHf1 m tr i Hi), (IHf2 m tr i Hi). cbn [sem].
    destruct (classic (sem m tr f1 i)), (classic (sem m tr f2 i)); tauto.
  - apply equiv_trans with (U_ b Top f); [| apply equiv_sym, F_way]. apply (Hway Ahead); [apply equiv_refl | assumption].
  - apply equiv_trans with (Not (U_ b Top (Not f))); [| apply equiv_sym, G_way]. apply Hneg. apply (Hway Ahead); [apply equiv_refl | auto].
  - apply equiv_trans with (S_ b Top f); [| apply equiv_sym, O_way]. apply (Hway Back); [apply equiv_refl | assumption].
  - apply equiv_trans with (Not (S_ b Top (Not f))); [| apply equiv_sym, H_way]. apply Hneg. apply (Hway Back); [apply equiv_refl | auto].
  - apply (Hway Ahead); assumption.
  - apply equiv_trans with (Not (U_ b (Not f1) (Not f2))); [| apply equiv_sym, R_way]. apply Hneg. apply (Hway Ahead); auto.
  - apply (Hway Back); assumption.
  - apply equiv_trans with (Not (S_ b (Not f1) (Not f2))); [| apply equiv_sym, T_way]. apply Hneg. apply (Hway Back); auto.
Qed.

Theorem equal_sound f g : equal f g = true -> equiv f g.
Proof.
  intros E. apply sure_sound in E. apply iff_equiv in E.
  apply equiv_trans with (normal f); [apply equiv_sym, normal_is |]. apply equiv_trans with (normal g); [assumption | apply normal_is].
Qed.
